package dev.recloser.http;

import dev.recloser.BulkheadFullException;
import dev.recloser.CallNotPermittedException;
import dev.recloser.CallRejectedException;
import dev.recloser.RefusalReason;
import dev.recloser.RequestNotPermittedException;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a server answers when a call that it needed was refused by one of its own policies: a 503
 * with a {@code Retry-After} and a problem document (RFC 9457) that says which dependency it was
 * about, and that the refusal is ours. It never looks like a success.
 *
 * <pre>{@code
 * try {
 *   show(inventory.call(() -> client.stock(sku)));
 * } catch (CallRejectedException refused) {
 *   RefusalResponse answer = RefusalResponse.of(refused);
 *   answer.headers().forEach(exchange.getResponseHeaders()::set);
 *   byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
 *   exchange.sendResponseHeaders(answer.status(), body.length);
 *   exchange.getResponseBody().write(body);
 *   exchange.close();
 * }
 * }</pre>
 *
 * <p>The document tells what the policy is called, which often is the host of the dependency. Where
 * that is nobody's business, {@link #of(CallRejectedException, String)} gives it another name.
 * Nothing of the failures that led to the refusal is in it.
 *
 * <p>Immutable.
 */
public final class RefusalResponse {
  /** The status, {@value}: Service Unavailable. */
  public static final int STATUS = 503;

  private static final int MAX_CAUSES = 16;

  private final String dependency;
  private final String refusedBy;
  private final String why;
  private final @Nullable Duration retryAfter;

  private RefusalResponse(CallRejectedException refused, String dependency) {
    this.dependency = Objects.requireNonNull(dependency, "dependency");
    retryAfter = refused.retryAfter().orElse(null);
    if (refused instanceof CallNotPermittedException open) {
      refusedBy = "circuit breaker";
      why = why(open.reason());
    } else if (refused instanceof RequestNotPermittedException) {
      refusedBy = "rate limiter";
      why = "it has been called as often as it may be";
    } else if (refused instanceof BulkheadFullException) {
      refusedBy = "bulkhead";
      why = "as many calls to it are running as may be";
    } else {
      refusedBy = "policy";
      why = "a limit on our side forbade it";
    }
  }

  private static String why(RefusalReason reason) {
    return switch (reason) {
      case OPEN -> "calls to it are held back for now";
      case HALF_OPEN -> "it is being tested by a few calls";
      case FORCED_OPEN -> "an operator has stopped the calls to it";
      case RAMP_UP -> "it has just recovered, and is given a share of the calls for now";
    };
  }

  /** Makes the answer to a refusal; the dependency has the name of the policy. */
  public static RefusalResponse of(CallRejectedException refused) {
    return new RefusalResponse(refused, refused.policy());
  }

  /**
   * Makes the answer to a refusal.
   *
   * @param dependency what the dependency is called outside
   */
  public static RefusalResponse of(CallRejectedException refused, String dependency) {
    return new RefusalResponse(refused, dependency);
  }

  /** Finds a refusal in what was thrown, be it inside other exceptions. */
  public static Optional<CallRejectedException> refusalIn(Throwable thrown) {
    Throwable inside = Objects.requireNonNull(thrown, "thrown");
    for (int depth = 0; inside != null && depth < MAX_CAUSES; depth++) {
      if (inside instanceof CallRejectedException refused) {
        return Optional.of(refused);
      }
      inside = inside.getCause();
    }
    return Optional.empty();
  }

  /** The status, {@value #STATUS}. */
  public int status() {
    return STATUS;
  }

  /**
   * The headers by their names: {@code Content-Type}, {@code Cache-Control}, for a refusal is not
   * to be kept, and {@code Retry-After}, if that is known. Unmodifiable.
   */
  public Map<String, String> headers() {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Content-Type", "application/problem+json");
    headers.put("Cache-Control", "no-store");
    retryAfterSeconds().ifPresent(seconds -> headers.put("Retry-After", Long.toString(seconds)));
    return Collections.unmodifiableMap(headers);
  }

  /** In how many whole seconds to try again, rounded up; empty where that is not known. */
  public OptionalLong retryAfterSeconds() {
    return retryAfter == null
        ? OptionalLong.empty()
        : OptionalLong.of(retryAfter.plusNanos(999_999_999).toSeconds());
  }

  /** The problem document: JSON in ASCII, and so the same in every charset. */
  public String body() {
    String members =
        member("type", "about:blank")
            + member("title", "Service Unavailable")
            + "\"status\":"
            + STATUS
            + ","
            + member("detail", detail())
            + member("dependency", dependency)
            + member("refusedBy", refusedBy);
    String seconds =
        retryAfter == null ? "" : ",\"retryAfterSeconds\":" + retryAfterSeconds().getAsLong();
    return "{" + members + "\"callMade\":false" + seconds + "}";
  }

  @Override
  public String toString() {
    return STATUS + " " + detail();
  }

  private String detail() {
    String when =
        retryAfter == null
            ? ""
            : " It may be called again in " + retryAfterSeconds().getAsLong() + " s.";
    return "We did not call "
        + dependency
        + ": our own "
        + refusedBy
        + " refused, since "
        + why
        + "."
        + when;
  }

  private static String member(String name, String value) {
    return "\"" + name + "\":\"" + escaped(value) + "\",";
  }

  /** As RFC 8259, 7, allows it for any character. */
  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        escaped.append(String.format("\\u%04x", (int) c));
      } else {
        escaped.append(c);
      }
    }
    return escaped.toString();
  }
}
