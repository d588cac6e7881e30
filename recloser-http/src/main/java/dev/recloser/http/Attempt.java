package dev.recloser.http;

import dev.recloser.JudgedResult;
import dev.recloser.Outcome;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What came of an attempt, with what it means: what retry and hedge see. That is the answer that
 * the client got, or what it threw for a request that was never sent, which is no reason for either
 * of them to make another.
 */
final class Attempt<R> extends JudgedResult {
  private final @Nullable R response;
  private final @Nullable Throwable thrown;
  private final Runnable letGo;
  private final JudgedResult judged;

  private Attempt(
      @Nullable R response, @Nullable Throwable thrown, Runnable letGo, JudgedResult judged) {
    this.response = response;
    this.thrown = thrown;
    this.letGo = letGo;
    this.judged = judged;
  }

  /** One that got a response, which the permit has been told of. */
  static <R> Attempt<R> of(R response, HttpPermit permit, WatchedHandler<?> handler) {
    Runnable letGo =
        () -> {
          permit.close();
          handler.discard();
        };
    return new Attempt<>(response, null, letGo, Objects.requireNonNull(permit.result()));
  }

  /** One that has thrown this before anything was sent. */
  static <R> Attempt<R> notSent(Throwable thrown) {
    return new Attempt<>(null, thrown, () -> {}, NotSent.INSTANCE);
  }

  /**
   * The response.
   *
   * @throws X what was thrown instead: what the client throws, and so what its callers expect
   */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  <X extends Throwable> R response() throws X {
    if (thrown != null) {
      throw (X) thrown;
    }
    return Objects.requireNonNull(response);
  }

  /** Nobody will read it: gives the permit back, if that has not ended, and lets the body go. */
  void letGo() {
    letGo.run();
  }

  @Override
  public Outcome outcome() {
    return judged.outcome();
  }

  @Override
  public String what() {
    return judged.what();
  }

  @Override
  public @Nullable Duration retryAfter() {
    return judged.retryAfter();
  }
}
