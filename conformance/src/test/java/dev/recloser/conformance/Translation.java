package dev.recloser.conformance;

/**
 * An intended difference that random traces run into, and how {@link Comparison} accounts for it.
 *
 * <p>With all of them in force the two breakers must agree on everything. With any one of them left
 * out they must not, or it would hide something else.
 */
enum Translation {
  /**
   * Resilience4j admits again after the wait, Recloser at its end. Traces move in milliseconds, so
   * a wait that is a millisecond shorter makes Resilience4j admit at the same moment.
   */
  END_OF_WAIT,

  /**
   * Resilience4j's timers run in real time, Recloser's on the time handed in. Those of Resilience4j
   * are off; it is moved at the moment at which a timer of Recloser rings.
   */
  TIMERS,

  /**
   * Recloser decides as soon as the probes that have not reported cannot change it. Resilience4j
   * then gets for the rest of them the results that speak most against that verdict, and must come
   * to it all the same.
   */
  EARLY_VERDICT,

  /** Resilience4j decides by as many probes as its minimum of calls; it is never less. */
  MINIMUM_OF_PROBES,

  /**
   * Recloser lets results that arrive after their state has passed move nothing. Resilience4j
   * counts them in whatever state it is in, so it is not told of them.
   */
  LATE_RESULTS,

  /** Recloser ends probes that do not report; the lease is longer than a trace. */
  PROBE_LEASE,

  /** Recloser counts slow calls while they run; that is off. */
  SLOW_CALLS_IN_FLIGHT,

  /**
   * Resilience4j's slices are the whole seconds of the wall clock, Recloser's start with the state.
   * Recloser's are a second long, and the wall clock is set to a whole second when a window starts:
   * it is empty then, and nothing else depends on that clock.
   */
  SLICES,

  /**
   * Recloser forgets the growth of the wait after it has stayed closed for the base wait,
   * Resilience4j when it closes. After closing there is no call for the base wait.
   */
  GROWTH_OF_WAIT,

  /** Recloser ignores exceptions that are not listed; it is told to take them for successes. */
  UNLISTED_EXCEPTIONS,

  /**
   * Recloser takes exceptions that mean cancellation for that. Resilience4j takes them for
   * failures; it is told instead that the permission was not used.
   */
  CANCELLATIONS,

  /**
   * Resilience4j refuses some moves between states, and begins a state anew when it is moved into
   * the state it is in; operators do not ask for that.
   */
  MOVES,

  /**
   * Resilience4j lets waits grow with the openings by operators too; operators leave breakers with
   * growing waits alone.
   */
  GROWTH_BY_OPERATORS
}
