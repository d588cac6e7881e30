package dev.recloser.examples.microprofile;

import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;

/** The dependency: a service elsewhere, which is down whenever that is wanted. */
@ApplicationScoped
public class Warehouse {
  private volatile boolean down;

  /** Asks it how many there are. */
  int ask(String sku) throws IOException {
    if (down) {
      throw new IOException("the warehouse does not answer");
    }
    return sku.length();
  }

  /** Lets it fail, or not. */
  void setDown(boolean isDown) {
    down = isDown;
  }
}
