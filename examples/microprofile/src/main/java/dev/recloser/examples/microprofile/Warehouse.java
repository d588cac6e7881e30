package dev.recloser.examples.microprofile;

import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** The dependency: a service elsewhere, which is down or slow whenever that is wanted. */
@ApplicationScoped
public class Warehouse {
  private final AtomicInteger asked = new AtomicInteger();
  private volatile boolean down;
  private volatile long delayMillis;

  /** Asks it how many there are. */
  int ask(String sku) throws IOException, InterruptedException {
    asked.incrementAndGet();
    Thread.sleep(delayMillis);
    if (down) {
      throw new IOException("the warehouse does not answer");
    }
    return sku.length();
  }

  /** How often it has been asked. */
  int asked() {
    return asked.get();
  }

  /** Lets it fail, or not, and take its time. */
  void set(boolean isDown, long takesMillis) {
    down = isDown;
    delayMillis = takesMillis;
  }
}
