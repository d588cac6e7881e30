package dev.recloser;

/**
 * A change of a limit, and what it was made on.
 *
 * @param latency the median of the round in nanoseconds; 0 where it was not asked for
 * @param normal the baseline in nanoseconds; 0 while it is not known
 * @param failed how many calls of the round failed
 * @param ended of so many
 */
record LimitChange(
    int from,
    int to,
    LimitChangeReason reason,
    long latency,
    long normal,
    long failed,
    long ended) {

  /** For people, to follow "the limit". */
  String explain() {
    return switch (reason) {
      case LATENCY_NORMAL -> "was raised from " + from + ", for calls took " + latencies();
      case LATENCY_HIGH -> "was lowered from " + from + ", for calls took " + latencies();
      case FAILURES ->
          "was lowered from " + from + ", for " + failed + " of " + ended + " calls failed";
      case MEASURING ->
          "was lowered from " + from + " for a moment, to see how long calls take when few run";
      case MEASURED -> "is back from a look at how long calls take when few run: " + latencies();
      case RECONFIGURED -> "was " + from + " before the settings were changed";
    };
  }

  private String latencies() {
    String normally = normal == 0 ? "" : ", normally " + Text.ofNanos(normal);
    return Text.ofNanos(latency) + normally;
  }
}
