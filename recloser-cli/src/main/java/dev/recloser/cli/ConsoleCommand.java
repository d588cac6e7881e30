package dev.recloser.cli;

import dev.recloser.InvalidConfigurationException;
import dev.recloser.Policies;
import dev.recloser.console.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows the live panel, over an application that is made up or over a fleet of real ones. */
@Command(
    name = "console",
    description =
        "Shows the live panel over a made-up application: real breakers, whose dependencies turn"
            + " slow and failing and recover. An application starts its own panel, with"
            + " dev.recloser.console.Console, and --instance shows those of many side by side."
            + " Ctrl-C ends it.")
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

  @Mixin private FleetOptions fleet = new FleetOptions();

  @Override
  public Integer call() {
    check("--port", port, 0, 65_535);
    check("--breakers", breakers, 1, MAX_BREAKERS);
    CtrlC ctrlC = CtrlC.interrupts(Thread.currentThread());
    try {
      if (fleet.areThere()) {
        showFleet();
      } else {
        showMadeUp();
      }
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

  private void showMadeUp() throws IOException, InterruptedException {
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
                  fleet.applyTo(settings);
                })) {
      show(console);
    }
  }

  /** The page of a process that has no breakers of its own is that of the fleet. */
  private void showFleet() throws IOException, InterruptedException {
    for (String option : List.of("--breakers", "--controls")) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw new ParameterException(
            spec.commandLine(), option + ": given (expected: not with --instance)");
      }
    }
    try (Console console =
        Console.start(
            Policies.create(),
            settings -> {
              settings.port(port).title("Fleet");
              fleet.applyTo(settings);
            })) {
      show(console);
    } catch (InvalidConfigurationException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private void show(Console console) throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    out.println("The panel is at " + console.controlUri() + " (Ctrl-C ends it)");
    out.flush();
    new CountDownLatch(1).await();
  }

  private void check(String option, int value, int least, int most) {
    if (value < least || value > most) {
      throw new ParameterException(
          spec.commandLine(),
          Text.format("%s: %d (expected: %d to %d)", option, value, least, most));
    }
  }
}
