package dev.recloser.http;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A request that no builder makes: its URI can be anything. */
final class StrangeRequest extends HttpRequest {
  private final URI uri;

  StrangeRequest(URI uri) {
    this.uri = uri;
  }

  @Override
  public Optional<BodyPublisher> bodyPublisher() {
    return Optional.empty();
  }

  @Override
  public String method() {
    return "GET";
  }

  @Override
  public Optional<Duration> timeout() {
    return Optional.empty();
  }

  @Override
  public boolean expectContinue() {
    return false;
  }

  @Override
  public URI uri() {
    return uri;
  }

  @Override
  public Optional<HttpClient.Version> version() {
    return Optional.empty();
  }

  @Override
  public HttpHeaders headers() {
    return HttpHeaders.of(Map.of(), (name, value) -> true);
  }
}
