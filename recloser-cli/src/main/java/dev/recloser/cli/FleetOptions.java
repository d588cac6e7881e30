package dev.recloser.cli;

import dev.recloser.console.ConsoleSettings;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Whose panels are shown side by side. */
final class FleetOptions {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // by picocli
  private CommandSpec spec;

  @Option(
      names = "--instance",
      paramLabel = "NAME=ADDRESS",
      description =
          "Shows the panels of processes side by side instead, each by a name of its own and the"
              + " address of its panel: orders-1=http://10.0.0.1:8080/panel/. May be given often.")
  private List<String> instances = List.of();

  @Option(
      names = "--instance-header",
      paramLabel = "NAME=VARIABLE",
      description =
          "Adds a header field to what is sent to instances, for a log-in: its name, and the"
              + " environment variable that has its value, as in Authorization=PANEL_LOGIN.")
  private List<String> headers = List.of();

  boolean areThere() {
    return !instances.isEmpty();
  }

  /** Sets what was asked for, or says all that is wrong with it. */
  void applyTo(ConsoleSettings settings) {
    List<String> faults = new ArrayList<>();
    Map<String, URI> addresses = new LinkedHashMap<>();
    pairs("--instance", instances, faults)
        .forEach((name, address) -> addresses.put(name, uri(name, address, faults)));
    pairs("--instance-header", headers, faults)
        .forEach((name, variable) -> setHeader(settings, name, variable, faults));
    if (!headers.isEmpty() && instances.isEmpty()) {
      faults.add("--instance-header: " + headers.get(0) + " (expected: none without --instance)");
    }
    if (!faults.isEmpty()) {
      throw new ParameterException(spec.commandLine(), String.join("; ", faults));
    }
    settings.instances(addresses);
  }

  private static Map<String, String> pairs(
      String option, List<String> values, List<String> faults) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String value : values) {
      int at = value.indexOf('=');
      if (at <= 0 || at == value.length() - 1) {
        faults.add(option + ": " + value + " (expected: two parts with = between them)");
      } else if (pairs.putIfAbsent(value.substring(0, at), value.substring(at + 1)) != null) {
        faults.add(option + ": " + value + " (expected: each name once)");
      }
    }
    return pairs;
  }

  /** What is no address at all is told here, what is none of a panel by its settings. */
  private static URI uri(String name, String address, List<String> faults) {
    try {
      return new URI(address);
    } catch (URISyntaxException e) {
      faults.add("--instance: " + name + "=" + address + " (expected: an address)");
      return URI.create("");
    }
  }

  /** By way of the environment, since everybody on a machine can read a command line. */
  private static void setHeader(
      ConsoleSettings settings, String name, String variable, List<String> faults) {
    String value = System.getenv(variable);
    if (value == null) {
      String expected = "an environment variable that is set";
      faults.add("--instance-header: " + name + "=" + variable + " (expected: " + expected + ")");
    } else {
      settings.instanceHeader(name, () -> value);
    }
  }
}
