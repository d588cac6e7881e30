package dev.recloser.http;

import dev.recloser.JudgedResult;
import dev.recloser.Outcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The answer that an attempt got from a client, with what it means: what a retry sees. */
final class Attempt<R> extends JudgedResult {
  private final R response;
  private final @Nullable JudgedResult judged;

  /**
   * Creates one.
   *
   * @param judged null where the body handler was never asked, and nothing is known of the answer
   */
  Attempt(R response, @Nullable JudgedResult judged) {
    this.response = response;
    this.judged = judged;
  }

  R response() {
    return response;
  }

  @Override
  public Outcome outcome() {
    return judged == null ? Outcome.IGNORED : judged.outcome();
  }

  @Override
  public String what() {
    return judged == null ? response.toString() : judged.what();
  }

  @Override
  public @Nullable Duration retryAfter() {
    return judged == null ? null : judged.retryAfter();
  }
}
