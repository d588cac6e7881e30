package dev.recloser.console;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Turns away what no page of this panel sends.
 *
 * <p>A foreign page cannot read answers, for there is no header field that would allow it. It could
 * have its own name resolved to this address, and so become the same origin: hence the names of
 * hosts are checked. It could send what a form can send: hence a command needs a header field and a
 * media type that a form cannot send without asking first, and there is nobody here who answers
 * such a question.
 */
final class Guard {
  /** No form sends it; its value is of no importance. */
  static final String COMMAND_HEADER = "X-Recloser-Console";

  private static final int MOST_PATH = 2_048;

  /** Room for a name of 10,000 characters, each of three bytes, percent-encoded. */
  private static final int MOST_QUERY = 100_000;

  /** As they were set, for people, and as they are compared. */
  private final Set<String> hosts;

  private final Set<String> canonical;

  Guard(Set<String> hosts) {
    this.hosts = Set.copyOf(hosts);
    canonical = hosts.stream().map(Hosts::canonical).collect(Collectors.toUnmodifiableSet());
  }

  /** Checks what holds for all requests. */
  void check(ConsoleRequest request) {
    checkLength("path", request.pathOnly(), MOST_PATH);
    checkLength("query", request.query(), MOST_QUERY);
    String host = request.soleHeader("Host");
    if (host == null || !canonical.contains(Hosts.canonical(nameOf(host)))) {
      throw Problem.of(
          421,
          "Not this host",
          "Host: "
              + Text.quoted(host)
              + " (expected: one of "
              + String.join(", ", hosts.stream().sorted().toList())
              + ", or what is set as hosts)");
    }
    if (request.path().startsWith("/api/")) {
      checkSite(request);
    }
    String origin = request.soleHeader("Origin");
    if (origin != null && !host.equalsIgnoreCase(authorityOf(origin))) {
      throw Problem.forbidden(
          "Origin: " + Text.quoted(origin) + " (expected: the host of the request)");
    }
  }

  private static void checkLength(String what, String text, int most) {
    if (text.length() > most) {
      throw Problem.of(
          414,
          "Address too long",
          what + ": " + text.length() + " characters (expected: at most " + most + ")");
    }
  }

  /** A foreign page could not read the answers, but ask for many, and for streams. */
  private static void checkSite(ConsoleRequest request) {
    String site = request.soleHeader("Sec-Fetch-Site");
    if (site != null && !site.equals("same-origin") && !site.equals("none")) {
      throw Problem.forbidden("Sec-Fetch-Site: " + Text.quoted(site) + " (expected: same-origin)");
    }
  }

  /** Checks what holds for requests that change something. */
  void checkCommand(ConsoleRequest request) {
    if (request.header(COMMAND_HEADER) == null) {
      throw Problem.forbidden(COMMAND_HEADER + ": missing (expected: any value)");
    }
    String type = request.soleHeader("Content-Type");
    if (type == null || !isJson(type)) {
      throw Problem.of(
          415,
          "Unsupported media type",
          "Content-Type: " + Text.quoted(type) + " (expected: application/json)");
    }
  }

  private static boolean isJson(String type) {
    return type.toLowerCase(Locale.ROOT).split(";", -1)[0].strip().equals("application/json");
  }

  /** Without the port, which no rebinding can change. */
  private static String nameOf(String host) {
    int end = host.indexOf(':', host.indexOf(']') + 1);
    return (end < 0 ? host : host.substring(0, end)).toLowerCase(Locale.ROOT);
  }

  private static @Nullable String authorityOf(String origin) {
    try {
      return new URI(origin).getRawAuthority();
    } catch (URISyntaxException e) {
      return null;
    }
  }
}
