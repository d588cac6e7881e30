package dev.recloser.cli;

import dev.recloser.Policies;
import dev.recloser.console.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows the live panel, over an application that is made up. */
@Command(
    name = "console",
    description =
        "Shows the live panel over a made-up application: real breakers, whose dependencies turn"
            + " slow and failing and recover. An application starts its own panel, with"
            + " dev.recloser.console.Console. Ctrl-C ends it.")
final class ConsoleCommand implements Callable<Integer> {
  static final int MAX_BREAKERS = 10_000;

  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "0",
      description = "The port, on loopback. Default: a free one.")
  private int port;

  @Option(
      names = "--breakers",
      paramLabel = "N",
      defaultValue = "24",
      description = "How many breakers there are, 1 to 10000. Default: ${DEFAULT-VALUE}.")
  private int breakers;

  @Option(
      names = "--controls",
      description = "Lets who has the printed address control the breakers.")
  private boolean controls;

  @Override
  public Integer call() {
    check("--port", port, 0, 65_535);
    check("--breakers", breakers, 1, MAX_BREAKERS);
    PrintWriter out = spec.commandLine().getOut();
    CtrlC ctrlC = CtrlC.interrupts(Thread.currentThread());
    Policies policies = Policies.create();
    try (Showcase showcase = Showcase.start(policies, breakers);
        Console console =
            Console.start(
                policies,
                settings -> {
                  settings.port(port).title("A made-up application").pipeline(showcase.pipeline());
                  if (controls) {
                    settings.controls();
                  }
                })) {
      out.println("The panel is at " + console.controlUri() + " (Ctrl-C ends it)");
      out.flush();
      new CountDownLatch(1).await();
      return CommandLine.ExitCode.OK;
    } catch (InterruptedException e) {
      return CommandLine.ExitCode.OK;
    } catch (IOException e) {
      spec.commandLine().getErr().println(spec.qualifiedName() + ": " + e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    } finally {
      ctrlC.close();
    }
  }

  private void check(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new ParameterException(
          spec.commandLine(),
          Text.format("%s: %d (expected: %d to %d)", option, value, least, most));
    }
  }
}
