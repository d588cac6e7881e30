package dev.recloser.cli;

import dev.recloser.config.PolicyConfigs;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the schema of configuration files. */
@Command(
    name = "schema",
    description =
        "Prints the JSON Schema of configuration files, by which editors complete and check them.")
final class SchemaCommand implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().getOut().print(PolicyConfigs.jsonSchema());
    spec.commandLine().getOut().flush();
  }
}
