package dev.recloser.http;

import dev.recloser.CallRejectedException;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * A servlet filter that answers with a {@link RefusalResponse} where a {@link
 * CallRejectedException} comes out of what is behind it, also inside other exceptions.
 *
 * <p>What was written of another answer by then is dropped; headers stay, those of outer filters
 * for example. If the head of an answer has gone out already, there is no taking it back, and the
 * exception goes on to the container, which ends the connection.
 *
 * <p>Asynchronous requests need the filter declared as supporting them, and for {@code ASYNC}
 * dispatches as well as for {@code REQUEST}: what is thrown in the dispatch at the end of such a
 * request then comes out here. Of a stage that fails, and of what other threads throw, those of
 * {@code AsyncContext.start} included, containers tell nobody; there {@link #answer} is to be
 * called by hand:
 *
 * <pre>{@code
 * inventory.callAsync(() -> client.stockAsync(sku)).whenComplete((stock, thrown) -> {
 *   if (thrown == null) {
 *     show(stock);
 *     async.complete();
 *   } else if (!filter.answer(async, thrown)) {
 *     async.dispatch("/error");
 *   }
 * });
 * }</pre>
 *
 * <p>Thread-safe.
 */
public class RefusalFilter implements Filter {
  private static final System.Logger LOGGER = System.getLogger("dev.recloser");

  private final Function<? super CallRejectedException, RefusalResponse> answers;
  private final AtomicBoolean logged = new AtomicBoolean();

  /** Makes a filter that calls dependencies what their policies are called. */
  public RefusalFilter() {
    this(RefusalResponse::of);
  }

  /**
   * Makes a filter with answers of one's own.
   *
   * @param answers makes the answer to a refusal, with another name of the dependency for example
   */
  public RefusalFilter(Function<? super CallRejectedException, RefusalResponse> answers) {
    this.answers = Objects.requireNonNull(answers, "answers");
  }

  @Override
  public final void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    try {
      chain.doFilter(request, response);
    } catch (IOException | ServletException | RuntimeException thrown) {
      if (!hasAnswered(thrown, response)) {
        throw thrown;
      }
      complete(request);
    }
  }

  /**
   * Answers an asynchronous request, and completes it, if there is a refusal in what was thrown and
   * the head of no other answer has gone out.
   *
   * @param thrown may have the refusal as its cause
   * @return false if it has done nothing
   */
  public final boolean answer(AsyncContext async, Throwable thrown) {
    try {
      if (!hasAnswered(thrown, async.getResponse())) {
        return false;
      }
    } catch (IOException e) {
      // Who has asked has gone.
    }
    async.complete();
    return true;
  }

  private boolean hasAnswered(Throwable thrown, ServletResponse response) throws IOException {
    Optional<CallRejectedException> refused = RefusalResponse.refusalIn(thrown);
    if (refused.isEmpty()
        || response.isCommitted()
        || !(response instanceof HttpServletResponse http)) {
      return false;
    }
    write(answerTo(refused.get()), http);
    return true;
  }

  private RefusalResponse answerTo(CallRejectedException refused) {
    try {
      return Objects.requireNonNull(answers.apply(refused), "the answer");
    } catch (RuntimeException ofTheUser) {
      if (logged.compareAndSet(false, true)) {
        String what = "The answer to a refusal cannot be made; the usual one stands in (told once)";
        LOGGER.log(System.Logger.Level.WARNING, what, ofTheUser);
      }
      return RefusalResponse.of(refused);
    }
  }

  /** What has been begun asynchronously is over, too. */
  private static void complete(ServletRequest request) {
    if (request.isAsyncStarted()) {
      try {
        request.getAsyncContext().complete();
      } catch (IllegalStateException overMeanwhile) {
        // Another thread has done it.
      }
    }
  }

  private static void write(RefusalResponse answer, HttpServletResponse response)
      throws IOException {
    response.resetBuffer();
    response.setStatus(answer.status());
    answer.headers().forEach(response::setHeader);
    byte[] body = answer.body().getBytes(StandardCharsets.US_ASCII);
    response.setContentLength(body.length);
    try {
      response.getOutputStream().write(body);
    } catch (IllegalStateException aWriterIsInUse) {
      response.getWriter().write(answer.body());
    }
  }
}
