package dev.recloser.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The {@code recloser} command.
 *
 * <p>It ends with 0 when all went well, 2 when what it was given is wrong (options, files), and 1
 * when something else went wrong, or lint found errors. Messages go to standard error.
 */
@Command(
    name = "recloser",
    description = "A circuit breaker, tried and tuned from the command line.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    scope = ScopeType.INHERIT,
    subcommands = {
      ReplayCommand.class,
      LintCommand.class,
      OccupancyCommand.class,
      SchemaCommand.class,
      DemoCommand.class,
      ConsoleCommand.class
    })
public final class Main implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  private Main() {}

  /**
   * Runs the command and ends the JVM.
   *
   * @param args the arguments
   */
  public static void main(String[] args) {
    StandardOutput output = new StandardOutput(new FileOutputStream(FileDescriptor.out));
    System.exit(run(commandLine(), output, args));
  }

  /** Runs a command, and tells if its output could not be written. */
  static int run(CommandLine command, StandardOutput output, String... args) {
    command.setOut(output.writer());
    int exitCode = command.execute(args);
    command.getOut().flush();
    String failure = output.failure();
    if (failure != null) {
      command.getErr().println("recloser: the output cannot be written: " + failure);
      return CommandLine.ExitCode.SOFTWARE;
    }
    return exitCode;
  }

  static CommandLine commandLine() {
    return new CommandLine(new Main())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((e, args) -> wrongUsage(e))
        .setExecutionExceptionHandler((e, command, result) -> unexpected(e, command));
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  private static int wrongUsage(ParameterException e) {
    CommandLine command = e.getCommandLine();
    PrintWriter err = command.getErr();
    String name = command.getCommandSpec().qualifiedName();
    err.println(name + ": " + e.getMessage() + " (see " + name + " --help)");
    return CommandLine.ExitCode.USAGE;
  }

  private static int unexpected(Exception e, CommandLine command) {
    command.getErr().println(command.getCommandSpec().qualifiedName() + ": unexpected: " + e);
    return CommandLine.ExitCode.SOFTWARE;
  }

  /** The version from the manifest of the jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"recloser " + (version == null ? "(not from a jar)" : version)};
    }
  }
}
