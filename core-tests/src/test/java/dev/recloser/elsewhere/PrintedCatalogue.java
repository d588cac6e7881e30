package dev.recloser.elsewhere;

import java.io.IOException;

final class PrintedCatalogue implements Catalogue {
  @Override
  public String title() {
    return "spring";
  }

  @Override
  public String page(int number) throws IOException {
    if (number < 1) {
      throw new IOException("no page " + number);
    }
    return "page " + number;
  }

  @Override
  public String toString() {
    return "a printed catalogue";
  }
}
