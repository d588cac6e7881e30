package dev.recloser.cli;

/** What is counted in a run. */
enum Count {
  ORDERS_SENT,
  ORDERS_SENT_WHILE_SICK,
  /** Answered with the stock. */
  ORDERS_IN_FULL,
  /** Answered without knowing the stock, and saying so. */
  ORDERS_TO_BE_CONFIRMED,
  /** Not answered because workers and queue were full. */
  ORDERS_TURNED_AWAY,
  /** Not answered for any other reason. */
  ORDERS_FAILED,
  /** Answered, in full or not, before the customer's patience ran out. */
  ORDERS_IN_TIME,
  PAGES_SENT,
  PAGES_ANSWERED,
  PAGES_TURNED_AWAY,
  PAGES_FAILED,
  PAGES_IN_TIME,
  /** Calls to inventory that have ended. */
  CALLS_MADE,
  CALLS_MADE_WHILE_SICK,
  /** Calls that were answered with 5xx, or not at all. */
  CALLS_FAILED,
  /** Those of the failed calls that ran into the timeout. */
  CALLS_TIMED_OUT,
  /** Calls that the breaker refused and that inventory never saw. */
  CALLS_REFUSED,
  /** The time that workers have waited for inventory, in nanoseconds. */
  NANOS_WAITED,
  NANOS_WAITED_WHILE_SICK
}
