package dev.recloser.http;

import dev.recloser.JudgedResult;
import dev.recloser.Outcome;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** An answer with the table that it is judged by; what a breaker gets as the result of a call. */
final class JudgedAnswer extends JudgedResult {
  private final HttpOutcomes table;
  private final HttpAnswer answer;
  private final @Nullable String body;

  /**
   * Creates one.
   *
   * @param body the beginning of the body; null where none is known
   */
  JudgedAnswer(HttpOutcomes table, HttpAnswer answer, @Nullable String body) {
    this.table = table;
    this.answer = answer;
    this.body = body;
  }

  @Override
  public Outcome outcome() {
    return table.of(answer, body);
  }

  @Override
  public String what() {
    return answer.toString();
  }

  @Override
  public @Nullable Duration retryAfter() {
    return table.retryAfter(answer);
  }
}
