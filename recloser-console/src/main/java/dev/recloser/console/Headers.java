package dev.recloser.console;

import java.util.Map;

/** Header fields of answers. */
final class Headers {
  static final Map<String, String> JSON =
      Map.of("Content-Type", "application/json", "Cache-Control", "no-store");

  /** {@code X-Accel-Buffering} is nginx's word for not to hold a stream back. */
  static final Map<String, String> EVENTS =
      Map.of(
          "Content-Type", "text/event-stream",
          "Cache-Control", "no-store",
          "X-Accel-Buffering", "no");

  /**
   * On every answer. The page may load what this server sends and nothing else, talk to it and to
   * nobody else, not be framed, and not make code of text.
   */
  static final Map<String, String> SECURITY =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
              + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
              + " require-trusted-types-for 'script'",
          "X-Content-Type-Options",
          "nosniff",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin");

  private Headers() {}
}
