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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * A servlet filter that answers with a {@link RefusalResponse} where a {@link
 * CallRejectedException} comes out of what is behind it, also inside other exceptions.
 *
 * <p>What was written of another answer by then is dropped, with the headers that describe it,
 * {@code ETag} and {@code Content-Encoding} for example; other headers stay, those of outer filters
 * and cookies for example. If the head of an answer has gone out already, there is no taking it
 * back, and the exception goes on to the container, which ends the connection.
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

  /**
   * What says how the answer looks that is not given (RFC 9110, 8), and would be untrue of ours.
   */
  private static final Set<String> REPRESENTATION =
      inAnyCase(
          "Accept-Ranges",
          "Content-Digest",
          "Content-Disposition",
          "Content-Encoding",
          "Content-Language",
          "Content-Length",
          "Content-Location",
          "Content-MD5",
          "Content-Range",
          "Content-Type",
          "Digest",
          "ETag",
          "Expires",
          "Last-Modified",
          "Repr-Digest",
          "Trailer");

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
    forgetRepresentation(response);
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

  /** A response cannot forget single headers, so it forgets all and is told the others again. */
  private static void forgetRepresentation(HttpServletResponse response) {
    Map<String, List<String>> kept = new LinkedHashMap<>();
    for (String name : response.getHeaderNames()) {
      if (!REPRESENTATION.contains(name)) {
        kept.put(name, List.copyOf(response.getHeaders(name)));
      }
    }
    response.reset();
    kept.forEach((name, values) -> set(response, name, values));
  }

  /** In place of what a container has kept by itself, the cookie of a session for example. */
  private static void set(HttpServletResponse response, String name, List<String> values) {
    for (int i = 0; i < values.size(); i++) {
      if (i == 0) {
        response.setHeader(name, values.get(i));
      } else {
        response.addHeader(name, values.get(i));
      }
    }
  }

  private static Set<String> inAnyCase(String... names) {
    Set<String> all = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    all.addAll(List.of(names));
    return all;
  }
}
