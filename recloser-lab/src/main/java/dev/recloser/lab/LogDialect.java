package dev.recloser.lab;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the fields of a program's log say about calls of what stands behind it. */
interface LogDialect {
  /**
   * The calls of a line; none if it tells of a request that was not passed on.
   *
   * @throws UnreadableLineException if a field has no value, or none that can be understood
   */
  List<LoggedCall> calls(Fields line) throws UnreadableLineException;

  /** The fields that name the host that was asked for, most telling first. */
  List<String> hosts();

  /** The fields that name the route, as far as the program has any. */
  List<String> routes();

  /** The fields that name what stands behind the program. */
  List<String> upstreams();

  /**
   * The fields that hold the request: its line ({@code GET /stock HTTP/1.1}), or its method and its
   * path.
   */
  List<List<String>> requests();

  /** The value that a field has for one of the calls of a line; null if none. */
  default @Nullable String value(Fields line, String field, LoggedCall call) {
    return line.value(field);
  }
}
