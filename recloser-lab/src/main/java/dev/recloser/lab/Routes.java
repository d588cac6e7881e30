package dev.recloser.lab;

import java.util.List;

/**
 * The operation that a request is for, as far as its path tells: {@code GET /stock/4711?x=1} is
 * {@code GET /stock/*}.
 */
final class Routes {
  private static final int SHORT = 8;

  private Routes() {}

  /**
   * Makes one of a request's line, or of its method and its path.
   *
   * @param request has one or two elements
   */
  static String of(List<String> request) {
    String line = String.join(" ", request);
    int methodEnd = line.indexOf(' ');
    if (methodEnd < 0) {
      return line;
    }
    int pathEnd = line.indexOf(' ', methodEnd + 1);
    String target = line.substring(methodEnd + 1, pathEnd < 0 ? line.length() : pathEnd);
    return line.substring(0, methodEnd) + " " + template(path(target));
  }

  /** Without the scheme and host that proxies are asked with, and without the query. */
  private static String path(String target) {
    int query = target.indexOf('?');
    String path = query < 0 ? target : target.substring(0, query);
    int scheme = path.indexOf("://");
    if (scheme < 0) {
      return path;
    }
    int slash = path.indexOf('/', scheme + 3);
    return slash < 0 ? "/" : path.substring(slash);
  }

  private static String template(String path) {
    String[] segments = path.split("/", -1);
    for (int i = 0; i < segments.length; i++) {
      if (isIdentifier(segments[i])) {
        segments[i] = "*";
      }
    }
    return String.join("/", segments);
  }

  /** A number, or something long with a digit in it; {@code v1} and {@code oauth2} are names. */
  private static boolean isIdentifier(String segment) {
    long digits = segment.chars().filter(c -> c >= '0' && c <= '9').count();
    return digits > 0 && (digits == segment.length() || segment.length() >= SHORT);
  }
}
