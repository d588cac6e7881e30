package dev.recloser.http;

import dev.recloser.JudgedResult;
import dev.recloser.Outcome;
import dev.recloser.Permit;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The right to make one HTTP call, and the duty to say how it ended: what guards the calls of a
 * client for which there is nothing ready-made.
 *
 * <pre>{@code
 * try (HttpPermit permit = guard.acquire(call)) { // throws if refused
 *   try {
 *     Response response = send();
 *     permit.answered(HttpAnswer.of(response.status(), name -> List.of()));
 *     permit.bodyEnded(); // when the body has been read to its end
 *   } catch (IOException e) {
 *     permit.fail(e);
 *     throw e;
 *   }
 * }
 * }</pre>
 *
 * <p>The first end counts, and any further one does nothing. One that is never ended is a call in
 * flight for ever, and slow once it has passed the limit. An answer whose head says that it is not
 * a success has ended the call there, and so has any answer with {@link CallEnd#HEADERS}.
 *
 * <p>Thread-safe, but that the parts of a body come one after the other, and after the head.
 */
public final class HttpPermit implements AutoCloseable {
  private final Permit permit;
  private final HttpOutcomes table;
  private final CallEnd end;

  /** The beginning of the body; made when there are rows for it. */
  private @Nullable ByteArrayOutputStream body;

  private volatile @Nullable HttpAnswer answer;
  private volatile boolean notSent;

  HttpPermit(Permit permit, HttpOutcomes table, CallEnd end) {
    this.permit = permit;
    this.table = table;
    this.end = end;
  }

  /** Whether the call tests a half-open breaker, and so may deserve more patience than others. */
  public boolean isProbe() {
    return permit.isProbe();
  }

  /** Says what the head of the answer was. */
  public void answered(HttpAnswer head) {
    answer = Objects.requireNonNull(head, "head");
    if (end == CallEnd.HEADERS || !isSuccess(head)) {
      permit.complete(judged(head));
    } else if (table.asksBodies()) {
      body = new ByteArrayOutputStream();
    }
  }

  /**
   * Whether the table asks for more of the body than has passed, as far as the head of the answer
   * says.
   */
  public boolean wantsBody() {
    ByteArrayOutputStream kept = body;
    return kept != null && kept.size() < table.bodyLimit();
  }

  /**
   * Hands over a part of the body as it passes, of which no more is kept than the table asks for.
   *
   * @param part left as it is, position and all
   */
  public void body(ByteBuffer part) {
    ByteArrayOutputStream kept = body;
    if (kept != null) {
      byte[] bytes = new byte[Math.min(part.remaining(), table.bodyLimit() - kept.size())];
      part.duplicate().get(bytes);
      kept.writeBytes(bytes);
    }
  }

  /** Says that the body has been read to its end. */
  public void bodyEnded() {
    HttpAnswer head = answer;
    if (head != null) {
      permit.complete(judged(head));
    }
  }

  /**
   * Says that the rest of the body is not wanted: the answer was as good as its head said, and what
   * has passed of the body.
   *
   * <p>Before there was an answer, the caller has given up.
   */
  public void bodyClosed() {
    if (answer == null) {
      permit.close();
    } else {
      bodyEnded();
    }
  }

  /** Says that there was no answer, or no whole one: what the call threw. */
  public void fail(Throwable thrown) {
    Objects.requireNonNull(thrown, "thrown");
    Outcome outcome = table.ofException(thrown);
    if (outcome == null) {
      permit.fail(thrown);
    } else {
      permit.record(outcome, thrown.getClass().getName());
    }
  }

  /** Says that the request never left, for a reason that is no fault of the dependency. */
  public void notSent() {
    notSent = true;
    permit.record(Outcome.IGNORED);
  }

  /** Says that the caller gave up, unless the call has ended. */
  @Override
  public void close() {
    permit.close();
  }

  /**
   * The answer with what it means as far as it is known by now, for policies around the call, a
   * retry for example; null before there is one. Of a request that was not sent it is that, which
   * policies then want to be told rather than what was thrown.
   */
  public @Nullable JudgedResult result() {
    if (notSent) {
      return NotSent.INSTANCE;
    }
    HttpAnswer head = answer;
    return head == null ? null : judged(head);
  }

  /**
   * One that cannot be judged has ended as well: the breaker then asks again, is thrown at, and
   * tells of it.
   */
  private boolean isSuccess(HttpAnswer head) {
    try {
      return table.of(head) == Outcome.SUCCESS;
    } catch (Throwable e) {
      return false;
    }
  }

  private JudgedResult judged(HttpAnswer head) {
    ByteArrayOutputStream kept = body;
    return new JudgedAnswer(
        table, head, kept == null ? null : kept.toString(StandardCharsets.UTF_8));
  }
}
