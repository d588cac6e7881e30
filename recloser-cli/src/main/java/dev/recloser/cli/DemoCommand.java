package dev.recloser.cli;

import dev.recloser.CircuitBreakerRegistry;
import dev.recloser.Policies;
import dev.recloser.console.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Shows on real calls what a breaker is good for. */
@Command(
    name = "demo",
    description =
        "Shows on real calls, all on this machine, what becomes of a service whose dependency turns"
            + " slow and failing: first without a breaker, then with one.")
final class DemoCommand implements Callable<Integer> {
  /** What a shell expects of a command that was ended by Ctrl-C. */
  private static final int INTERRUPTED = 130;

  @Spec
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "40",
      description = "How long it takes in all, 8 to 300. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--console",
      paramLabel = "PORT",
      arity = "0..1",
      fallbackValue = "0",
      description =
          "Shows both runs in the live panel as well, at this port of loopback or a free one."
              + " The panel stays when the runs are over, until Ctrl-C.")
  private @Nullable Integer console;

  @Override
  public Integer call() {
    checkSeconds();
    DemoScreen screen =
        screen(spec.commandLine().getOut(), Terminals.isTerminal(), System.getenv());
    CtrlC ctrlC = CtrlC.interrupts(Thread.currentThread());
    try {
      DemoPlan plan = DemoPlan.ofDemo(seconds);
      if (console == null) {
        new Demo(plan, screen).run();
      } else {
        runWithConsole(plan, screen, console);
      }
      return CommandLine.ExitCode.OK;
    } catch (InterruptedException e) {
      screen.print(List.of("", "Stopped."));
      return INTERRUPTED;
    } catch (IOException e) {
      String name = spec.qualifiedName();
      spec.commandLine().getErr().println(name + ": no server on loopback: " + e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    } finally {
      ctrlC.close();
    }
  }

  private static void runWithConsole(DemoPlan plan, DemoScreen screen, int port)
      throws IOException, InterruptedException {
    CircuitBreakerRegistry breakers = CircuitBreakerRegistry.create();
    Policies policies = Policies.create(registries -> registries.circuitBreakers(breakers));
    try (Console panel = Console.start(policies, s -> s.port(port).title("Recloser demo"))) {
      screen.print(List.of("The panel is at " + panel.uri(), ""));
      new Demo(plan, screen, breakers).run();
      screen.print(List.of("", "The panel stays at " + panel.uri() + " (Ctrl-C ends it)"));
      new CountDownLatch(1).await();
    }
  }

  /** Picks the panel for a terminal that can redraw it, and lines for everything else. */
  static DemoScreen screen(PrintWriter out, boolean terminal, Map<String, String> environment) {
    if (!terminal || environment.getOrDefault("TERM", "dumb").equals("dumb")) {
      return new LogScreen(out);
    }
    boolean plain = !environment.getOrDefault("NO_COLOR", "").isEmpty();
    return new PanelScreen(out, plain ? Palette.PLAIN : Palette.COLORS);
  }

  private void checkSeconds() {
    if (console != null && (console < 0 || console > 65_535)) {
      throw new ParameterException(
          spec.commandLine(), Text.format("--console: %d (expected: 0 to 65535)", console));
    }
    if (seconds < DemoPlan.MIN_SECONDS || seconds > DemoPlan.MAX_SECONDS) {
      throw new ParameterException(
          spec.commandLine(),
          Text.format(
              "--seconds: %d (expected: %d to %d)",
              seconds, DemoPlan.MIN_SECONDS, DemoPlan.MAX_SECONDS));
    }
  }
}
