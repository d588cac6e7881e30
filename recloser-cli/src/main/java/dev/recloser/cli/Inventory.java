package dev.recloser.cli;

import java.io.IOException;
import java.net.http.HttpResponse;

/** What the orders service knows of inventory; a breaker can wrap it. */
interface Inventory {
  /**
   * Asks for the stock of what is ordered, and blocks the thread until it knows.
   *
   * @param order the number of the order
   * @throws IOException when there is no answer, in time or at all
   */
  HttpResponse<String> stock(int order) throws IOException, InterruptedException;
}
