package dev.recloser;

/**
 * What a breaker knew at one moment: the calls in its window, or the probes that have reported
 * while it is half-open.
 *
 * @param calls the calls recorded
 * @param failed how many of them failed
 * @param slow how many of them were slow, failed ones included
 * @param slowFailed how many of them were both; they are in {@code failed} and in {@code slow}
 * @param slowInFlight calls not recorded yet that run longer than the limit already
 * @param minimumNumberOfCalls how many it takes before a rate is believed; the number of probes
 *     while half-open
 * @param failureRateThreshold the failure rate in percent that opens the breaker
 * @param slowCallRateThreshold the slow-call rate in percent that opens the breaker
 */
public record WindowSnapshot(
    int calls,
    int failed,
    int slow,
    int slowFailed,
    int slowInFlight,
    int minimumNumberOfCalls,
    double failureRateThreshold,
    double slowCallRateThreshold) {

  /** The share of the recorded calls that failed, in percent; NaN if there are none. */
  public double failureRate() {
    return percent(failed, calls);
  }

  /**
   * The share of the calls that were slow, those in flight included, in percent; NaN if there are
   * none.
   */
  public double slowCallRate() {
    return percent(slow + slowInFlight, calls + slowInFlight);
  }

  /**
   * How many more calls it takes before a rate is believed, those in flight past the limit counted
   * as there; 0 when there are enough.
   */
  public int callsNeeded() {
    return Math.max(0, minimumNumberOfCalls - calls - slowInFlight);
  }

  private static double percent(int part, int whole) {
    return whole == 0 ? Double.NaN : 100.0 * part / whole;
  }
}
