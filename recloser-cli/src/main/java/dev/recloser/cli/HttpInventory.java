package dev.recloser.cli;

import dev.recloser.Ticker;
import dev.recloser.http.HttpOutcomes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Calls inventory over HTTP and counts what it costs. */
final class HttpInventory implements Inventory, AutoCloseable {
  static final Duration TIMEOUT = Duration.ofSeconds(1);

  private final ExecutorService executor =
      Executors.newFixedThreadPool(2, DemoThreads.named("calls"));
  private final HttpClient client = Loopback.client(executor);
  private final Ticker ticker;
  private final Supplier<Phase> phase;
  private final Tally tally;
  private final URI uri;

  HttpInventory(Ticker ticker, Supplier<Phase> phase, Tally tally, URI uri) {
    this.ticker = ticker;
    this.phase = phase;
    this.tally = tally;
    this.uri = uri;
  }

  @Override
  public HttpResponse<String> stock(int order) throws IOException, InterruptedException {
    Phase begunIn = phase.get();
    long begun = ticker.nanoTime();
    tally.callSent();
    try {
      HttpResponse<String> response = client.send(request(order), BodyHandlers.ofString());
      if (HttpOutcomes.defaults().isFailure(response)) {
        tally.add(Count.CALLS_FAILED);
      }
      return response;
    } catch (IOException e) {
      tally.add(Count.CALLS_FAILED);
      if (e instanceof HttpTimeoutException) {
        tally.add(Count.CALLS_TIMED_OUT);
      }
      throw e;
    } finally {
      tally.callEnded(begunIn, ticker.nanoTime() - begun);
    }
  }

  @Override
  public void close() {
    Loopback.close(client);
    DemoThreads.end(executor);
  }

  private HttpRequest request(int order) {
    return HttpRequest.newBuilder(uri.resolve("/stock/" + order)).timeout(TIMEOUT).build();
  }
}
