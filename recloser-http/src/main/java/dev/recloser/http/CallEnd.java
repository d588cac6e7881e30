package dev.recloser.http;

/**
 * When a call whose answer is good has ended, as far as its breaker is concerned. An answer whose
 * head says that it is not good has ended there in any case.
 */
public enum CallEnd {
  /**
   * With the head of the answer. What happens to the body then, however long it takes, is nobody's
   * fault: for streams of events, and downloads that take as long as they are large.
   */
  HEADERS,
  /**
   * With the last byte of the body: one that is slow makes the call slow, one that breaks off a
   * failure.
   */
  BODY
}
