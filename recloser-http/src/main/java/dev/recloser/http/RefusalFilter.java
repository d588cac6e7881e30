package dev.recloser.http;

import dev.recloser.CallRejectedException;
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
import java.util.function.Function;

/**
 * A servlet filter that answers with a {@link RefusalResponse} where a {@link
 * CallRejectedException} comes out of what is behind it, also inside other exceptions.
 *
 * <p>What was written of another answer by then is dropped; headers stay, those of outer filters
 * for example. If the head of an answer has gone out already, there is no taking it back, and the
 * exception goes on to the container, which ends the connection. Exceptions of asynchronous
 * requests do not come out of a filter; there {@link RefusalResponse} is to be used by hand.
 *
 * <p>Thread-safe.
 */
public class RefusalFilter implements Filter {
  private final Function<? super CallRejectedException, RefusalResponse> answers;

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
      Optional<CallRejectedException> refused = RefusalResponse.refusalIn(thrown);
      if (refused.isEmpty()
          || response.isCommitted()
          || !(response instanceof HttpServletResponse http)) {
        throw thrown;
      }
      write(answers.apply(refused.get()), http);
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
