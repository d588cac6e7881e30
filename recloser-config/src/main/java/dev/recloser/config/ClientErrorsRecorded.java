package dev.recloser.config;

import dev.recloser.CircuitBreakerConfig;
import dev.recloser.config.Finding.Severity;
import java.util.Set;

/** A breaker that opens because of wrong requests. */
final class ClientErrorsRecorded extends BreakerCheck {
  /** What well-known clients throw on 4xx, or before they call at all. */
  private static final Set<String> CLIENT_ERRORS =
      Set.of(
          "org.springframework.web.client.HttpClientErrorException",
          "jakarta.ws.rs.ClientErrorException",
          "javax.ws.rs.ClientErrorException",
          "jakarta.ws.rs.BadRequestException",
          "javax.ws.rs.BadRequestException",
          "jakarta.ws.rs.NotFoundException",
          "javax.ws.rs.NotFoundException",
          "feign.FeignException$FeignClientException",
          "feign.FeignException$BadRequest",
          "feign.FeignException$NotFound",
          "jakarta.validation.ValidationException",
          "jakarta.validation.ConstraintViolationException",
          "javax.validation.ValidationException",
          "javax.validation.ConstraintViolationException",
          "java.lang.IllegalArgumentException");

  ClientErrorsRecorded() {
    super(
        "client-errors-recorded",
        Severity.ERROR,
        "recordExceptions has an exception that speaks against the request, not the dependency.");
  }

  @Override
  void look(
      Subject<CircuitBreakerConfig> breaker, Guard guard, Workload workload, Findings findings) {
    for (String name : breaker.config().recordExceptions()) {
      if (isClientError(name) && !breaker.config().ignoreExceptions().contains(name)) {
        findings.add(
            this,
            breaker,
            "recordExceptions",
            "wrong requests of one caller open the breaker for all others",
            name + " says that the request was wrong, not that the dependency is unwell",
            "leave it out, and write it under ignoreExceptions");
      }
    }
  }

  /** Spring has classes within the class, one for each status. */
  private static boolean isClientError(String name) {
    boolean ofStatus = name.startsWith("org.springframework.web.client.HttpClientErrorException$");
    return CLIENT_ERRORS.contains(name) || (ofStatus && !name.endsWith("$TooManyRequests"));
  }
}
