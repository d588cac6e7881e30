package dev.recloser.http;

import dev.recloser.JudgedResult;
import dev.recloser.Outcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The answer that an attempt got from a client, with what it means: what retry and hedge see. */
final class Attempt<R> extends JudgedResult {
  private final R response;
  private final HttpPermit permit;
  private final WatchedHandler<?> handler;
  private final @Nullable JudgedResult judged;

  Attempt(R response, HttpPermit permit, WatchedHandler<?> handler) {
    this.response = response;
    this.permit = permit;
    this.handler = handler;
    judged = permit.result(); // Null where the body handler was never asked.
  }

  R response() {
    return response;
  }

  /** Whether it is a failure; one that cannot be judged is none. */
  boolean isFailure() {
    try {
      return outcome() == Outcome.FAILURE;
    } catch (Throwable ofTheTable) {
      return false;
    }
  }

  /** Nobody will read it: gives the permit back, if that has not ended, and lets the body go. */
  void letGo() {
    permit.close();
    handler.discard();
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
