package dev.recloser.observability;

import com.sun.net.httpserver.HttpServer;
import dev.recloser.Bulkhead;
import dev.recloser.CircuitBreaker;
import dev.recloser.Hedge;
import dev.recloser.Pipeline;
import dev.recloser.RateLimiter;
import dev.recloser.Retry;
import dev.recloser.Timeout;
import dev.recloser.micrometer.PolicyMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * An application of its own process: calls through every policy, some of which fail, are slow or
 * refused, and their meters on a port of loopback, which it prints.
 */
final class MeteredProcess {
  private MeteredProcess() {}

  public static void main(String[] args) throws IOException {
    PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Pipeline<String> orders =
        Pipeline.create(
            "orders",
            calls ->
                calls
                    .fallback(f -> f.onRefusal(() -> "later").onFailure(() -> "unknown"))
                    .retry(
                        Retry.create(
                            "orders", r -> r.maxAttempts(2).waitDuration(Duration.ofMillis(5))))
                    .hedge(
                        Hedge.create(
                            "orders", h -> h.idempotent(true).delay(Duration.ofMillis(20))))
                    .circuitBreaker(
                        CircuitBreaker.create(
                            "orders",
                            b ->
                                b.slidingWindowSize(10)
                                    .minimumNumberOfCalls(5)
                                    .slowCallDurationThreshold(Duration.ofMillis(15))
                                    .waitDurationInOpenState(Duration.ofMillis(500))))
                    .rateLimiter(
                        RateLimiter.create("orders", l -> l.timeoutDuration(Duration.ofMillis(1))))
                    .bulkhead(
                        Bulkhead.create(
                            "orders", b -> b.maxConcurrentCalls(4).adaptiveLimit(a -> {})))
                    .timeout(Timeout.create("orders", Duration.ofMillis(50))));
    PolicyMetrics.create(all -> all.pipeline(orders).callTimers(true)).bindTo(meters);

    ScheduledExecutorService callers = Executors.newScheduledThreadPool(8);
    for (int caller = 0; caller < 8; caller++) {
      var unused =
          callers.scheduleWithFixedDelay(() -> call(orders), caller, 10, TimeUnit.MILLISECONDS);
    }

    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/metrics",
        exchange -> {
          byte[] body = meters.scrape().getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    System.out.println(server.getAddress().getPort());
  }

  private static void call(Pipeline<String> orders) {
    try {
      orders.call(MeteredProcess::order);
    } catch (Exception e) {
      // A call without an answer; its caller goes on.
    }
  }

  /** Goes well for a second, then badly for another. */
  private static String order() throws IOException, InterruptedException {
    boolean bad = System.currentTimeMillis() / 1_000 % 2 == 1;
    int chance = ThreadLocalRandom.current().nextInt(100);
    Thread.sleep(chance < 5 ? 80 : chance < 15 ? 25 : 2);
    if (bad && chance < 80) {
      throw new IOException("the inventory is not there");
    }
    return "in stock";
  }
}
