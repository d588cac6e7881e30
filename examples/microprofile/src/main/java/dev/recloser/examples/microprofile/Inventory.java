package dev.recloser.examples.microprofile;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.eclipse.microprofile.faulttolerance.Asynchronous;
import org.eclipse.microprofile.faulttolerance.Bulkhead;
import org.eclipse.microprofile.faulttolerance.CircuitBreaker;
import org.eclipse.microprofile.faulttolerance.Fallback;
import org.eclipse.microprofile.faulttolerance.Retry;
import org.eclipse.microprofile.faulttolerance.Timeout;

/** What stands between this service and the warehouse. */
@ApplicationScoped
public class Inventory {
  private final Warehouse warehouse;

  @Inject
  Inventory(Warehouse warehouse) {
    this.warehouse = warehouse;
  }

  /** For the container's proxies. */
  Inventory() {
    this(new Warehouse());
  }

  /** How many there are, or that it is not known. */
  @Retry(maxRetries = 1, delay = 10, jitter = 0)
  @CircuitBreaker(requestVolumeThreshold = 4, failureRatio = 0.5, delay = 60_000)
  @Timeout(500)
  @Fallback(fallbackMethod = "unknown")
  public String stock(String sku) throws IOException {
    return String.valueOf(warehouse.ask(sku));
  }

  String unknown(String sku) {
    return "unknown";
  }

  /** The same without holding up the caller. */
  @Asynchronous
  @Bulkhead(value = 5, waitingTaskQueue = 5)
  public CompletionStage<String> stockLater(String sku) throws IOException {
    return CompletableFuture.completedFuture(String.valueOf(warehouse.ask(sku)));
  }
}
