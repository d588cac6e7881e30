package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class OrdersServerTest {
  private final HttpClient client = Loopback.client(ForkJoinPool.commonPool());
  private final Tally tally = new Tally();

  @Test
  void an_order_is_taken_when_inventory_has_no_answer_and_says_so() throws Exception {
    try (var orders = new OrdersServer(OrdersServerTest::outOfOrder, tally)) {
      HttpResponse<String> answer = order(orders, 17).get(20, TimeUnit.SECONDS);

      assertThat(answer.statusCode()).isEqualTo(OrdersServer.TO_BE_CONFIRMED);
      assertThat(answer.body()).isEqualTo("order 17: accepted, stock to be confirmed");
      assertThat(tally.counts().of(Count.CALLS_REFUSED)).isZero();
    }
  }

  @Test
  void a_refusal_by_the_breaker_is_counted_as_a_call_spared() throws Exception {
    CircuitBreaker breaker = CircuitBreaker.create("inventory");
    breaker.transitionTo(State.FORCED_OPEN);
    Inventory guarded = breaker.wrap(Inventory.class, OrdersServerTest::outOfOrder);
    try (var orders = new OrdersServer(guarded, tally)) {
      assertThat(order(orders, 1).get(20, TimeUnit.SECONDS).statusCode())
          .isEqualTo(OrdersServer.TO_BE_CONFIRMED);
      assertThat(tally.counts().of(Count.CALLS_REFUSED)).isOne();
    }
  }

  @Test
  void the_catalog_needs_no_inventory() throws Exception {
    try (var orders = new OrdersServer(OrdersServerTest::outOfOrder, tally)) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(orders.uri().resolve("/catalog/3")).build(),
              BodyHandlers.ofString());

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo("page 3");
    }
  }

  @Test
  void who_finds_workers_and_queue_full_is_turned_away() throws Exception {
    var allBusy = new CountDownLatch(OrdersServer.WORKERS);
    var end = new CountDownLatch(1);
    Inventory hanging =
        order -> {
          allBusy.countDown();
          end.await();
          return outOfOrder(order);
        };
    try (var orders = new OrdersServer(hanging, tally)) {
      List<CompletableFuture<HttpResponse<String>>> held = new ArrayList<>();
      for (int i = 0; i < OrdersServer.WORKERS; i++) {
        held.add(order(orders, i));
      }
      allBusy.await();
      assertThat(orders.busy()).isEqualTo(OrdersServer.WORKERS);
      for (int i = 0; i < OrdersServer.QUEUE; i++) {
        held.add(order(orders, i));
      }
      // One more than there is room for; it does not matter which of them comes last.
      held.add(order(orders, 0));
      var firstAnswer =
          CompletableFuture.anyOf(held.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);

      assertThat(((HttpResponse<?>) firstAnswer).statusCode()).isEqualTo(OrdersServer.TURNED_AWAY);
      assertThat(orders.waiting()).isEqualTo(OrdersServer.QUEUE);
      end.countDown();
      assertThat(held)
          .extracting(answer -> answer.get(20, TimeUnit.SECONDS).statusCode())
          .containsOnlyOnce(503);
      assertThat(orders.mostBusySinceAsked()).isEqualTo(OrdersServer.WORKERS);
    }
  }

  private CompletableFuture<HttpResponse<String>> order(OrdersServer orders, int number) {
    HttpRequest request =
        HttpRequest.newBuilder(orders.uri().resolve("/orders/" + number))
            .POST(BodyPublishers.noBody())
            .build();
    return client.sendAsync(request, BodyHandlers.ofString());
  }

  private static HttpResponse<String> outOfOrder(int order) throws IOException {
    throw new IOException("inventory is out of order");
  }
}
