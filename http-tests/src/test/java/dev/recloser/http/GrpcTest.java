package dev.recloser.http;

import static dev.recloser.http.GrpcInventory.COUNT;
import static dev.recloser.http.GrpcInventory.GET;
import static dev.recloser.http.GrpcInventory.WATCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.CallNotPermittedException;
import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreakerMetrics;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.Outcome;
import dev.recloser.Retry;
import dev.recloser.grpc.GrpcKey;
import dev.recloser.grpc.GrpcOutcomes;
import dev.recloser.grpc.GuardClientInterceptor;
import dev.recloser.test.FakeTime;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** gRPC clients against a real server on loopback that ends calls as it is told. */
@Timeout(60)
@DisplayNameGeneration(ReplaceUnderscores.class)
final class GrpcTest {
  private final FakeTime time = FakeTime.create();
  private GrpcInventory server;
  private ManagedChannel channel;
  private CircuitBreaker breaker;

  @BeforeEach
  void start() throws IOException {
    server = GrpcInventory.start();
    breaker =
        CircuitBreaker.create(
            "inventory",
            config ->
                config
                    .slidingWindowSize(2)
                    .waitDurationInOpenState(Duration.ofSeconds(30))
                    .ticker(time));
    channel = channel(calls -> {});
  }

  @AfterEach
  void stop() throws InterruptedException {
    channel.shutdownNow().awaitTermination(30, TimeUnit.SECONDS);
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "OK, SUCCESS",
    "NOT_FOUND, SUCCESS",
    "ALREADY_EXISTS, SUCCESS",
    "ABORTED, SUCCESS",
    "UNAVAILABLE, FAILURE",
    "DEADLINE_EXCEEDED, FAILURE",
    "RESOURCE_EXHAUSTED, FAILURE",
    "INTERNAL, FAILURE",
    "UNKNOWN, FAILURE",
    "DATA_LOSS, FAILURE",
    "INVALID_ARGUMENT, IGNORED",
    "FAILED_PRECONDITION, IGNORED",
    "OUT_OF_RANGE, IGNORED",
    "UNAUTHENTICATED, IGNORED",
    "PERMISSION_DENIED, IGNORED",
    "UNIMPLEMENTED, IGNORED",
    "CANCELLED, CANCELLED"
  })
  void a_status_means_what_the_table_says(Status.Code code, Outcome outcome) {
    assertThat(codeOf(code.name())).isEqualTo(code);
    assertThat(ends()).isEqualTo(GuardedClientTest.only(outcome));
    assertThat(GrpcOutcomes.defaults().of(code)).isEqualTo(outcome);
  }

  @Test
  void an_answer_passes_through() {
    assertThat(get("OK")).isEqualTo("17 left");
  }

  @Test
  void a_stream_of_answers_ends_with_its_status_if_that_is_wanted() {
    for (CallEnd end : CallEnd.values()) {
      channel = channel(calls -> calls.callEnd(end));
      Iterator<String> answers =
          ClientCalls.blockingServerStreamingCall(
              channel.newCall(WATCH, CallOptions.DEFAULT), "INTERNAL late");
      assertThat(answers.next()).isEqualTo("17 left");
      assertThatThrownBy(answers::hasNext).isInstanceOf(StatusRuntimeException.class);
    }
    assertThat(ends()).containsExactly(1L, 1L, 0L, 0L);
  }

  @Test
  void one_answer_to_a_stream_ends_with_its_status() throws Exception {
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    StreamObserver<String> requests =
        ClientCalls.asyncClientStreamingCall(
            channel.newCall(COUNT, CallOptions.DEFAULT),
            new StreamObserver<>() {
              @Override
              public void onNext(String answer) {}

              @Override
              public void onError(Throwable thrown) {
                end.complete(thrown);
              }

              @Override
              public void onCompleted() {
                end.complete(new AssertionError("it went well"));
              }
            });
    requests.onNext("INTERNAL late");
    requests.onCompleted();

    assertThat(end.get(30, TimeUnit.SECONDS)).isInstanceOf(StatusRuntimeException.class);
    assertThat(ends()).isEqualTo(GuardedClientTest.only(Outcome.FAILURE));
  }

  @Test
  void rows_can_be_changed() {
    channel =
        channel(
            calls ->
                calls.outcomes(
                    GrpcOutcomes.of(rows -> rows.status(Status.Code.NOT_FOUND, Outcome.FAILURE))));
    codeOf("NOT_FOUND");
    assertThat(ends()).isEqualTo(GuardedClientTest.only(Outcome.FAILURE));
  }

  @Test
  void an_open_breaker_refuses_with_a_status_and_its_reason_and_sends_nothing() {
    codeOf("UNAVAILABLE");
    codeOf("UNAVAILABLE");

    assertThatThrownBy(() -> get("OK"))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            thrown -> {
              assertThat(thrown.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE);
              assertThat(thrown.getStatus().getDescription()).contains("inventory refused");
              assertThat(thrown).hasCauseInstanceOf(CallNotPermittedException.class);
              assertThat(GrpcOutcomes.defaults().classify(null, thrown)).isEqualTo(Outcome.IGNORED);
            });
    assertThat(breaker.explain()).contains("last with gRPC UNAVAILABLE");
    assertThatThrownBy(
            () ->
                ClientCalls.futureUnaryCall(channel.newCall(GET, CallOptions.DEFAULT), "OK")
                    .get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseInstanceOf(CallNotPermittedException.class);
  }

  @Test
  void a_retry_with_the_table_repeats_failures_and_no_refusals() {
    Retry retry =
        Retry.create(
            "inventory",
            config -> config.classifier(GrpcOutcomes.defaults()).ticker(time).scheduler(time));

    assertThatThrownBy(() -> retry.call(() -> get("UNAVAILABLE")))
        .isInstanceOf(StatusRuntimeException.class);

    assertThat(breaker.metrics().failed()).isEqualTo(2);
    assertThat(retry.metrics().retries()).isEqualTo(2);
  }

  @Test
  void a_pushback_lengthens_the_wait() {
    codeOf("UNAVAILABLE pushback 120000");
    codeOf("UNAVAILABLE");
    assertThat(breaker.snapshot().remaining()).isEqualTo(Duration.ofMinutes(2));
  }

  @ParameterizedTest
  @CsvSource({"-1", "soon", "99999999999999999999", "''", "1.5"})
  void a_pushback_that_is_none_counts_for_nothing(String value) {
    codeOf("UNAVAILABLE pushback " + value);
    codeOf("UNAVAILABLE");
    assertThat(breaker.snapshot().remaining()).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void a_deadline_that_is_over_is_a_failure() {
    assertThatThrownBy(
            () ->
                ClientCalls.blockingUnaryCall(
                    channel,
                    GET,
                    CallOptions.DEFAULT.withDeadlineAfter(200, TimeUnit.MILLISECONDS),
                    "hang"))
        .isInstanceOf(StatusRuntimeException.class);
    assertThat(ends()).isEqualTo(GuardedClientTest.only(Outcome.FAILURE));
  }

  @Test
  void nobody_there_is_a_failure() {
    server.close();
    assertThat(codeOf("OK")).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(ends()).isEqualTo(GuardedClientTest.only(Outcome.FAILURE));
  }

  @Test
  void cancelling_is_no_evidence_and_reaches_the_server() {
    var future = ClientCalls.futureUnaryCall(channel.newCall(GET, CallOptions.DEFAULT), "hang");
    server.awaitHanging();
    future.cancel(true);

    server.awaitLeft();
    assertThat(ends()).isEqualTo(GuardedClientTest.only(Outcome.CANCELLED));
    assertThat(breaker.snapshot().callsInFlight()).isZero();
  }

  @Test
  void cancelling_before_the_start_needs_no_permit() {
    ClientCall<String, String> call = channel.newCall(GET, CallOptions.DEFAULT);
    call.cancel("never mind", null);
    assertThat(breaker.metrics().admitted()).isZero();
  }

  @Test
  void what_a_guard_inside_has_refused_says_nothing_to_one_around_it() {
    CircuitBreaker inside = CircuitBreaker.create("inside");
    inside.transitionTo(CircuitBreaker.State.FORCED_OPEN);
    channel.shutdownNow();
    channel =
        server.channel( // The last one is the first to see a call.
            GuardClientInterceptor.create(calls -> calls.circuitBreakers(name -> inside)),
            GuardClientInterceptor.create(calls -> calls.circuitBreakers(name -> breaker)));

    assertThat(codeOf("OK")).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(inside.metrics().totalRefused()).isOne();
    assertThat(ends()).isEqualTo(GuardedClientTest.only(Outcome.IGNORED));
  }

  @Test
  void a_stream_is_a_success_once_the_server_has_answered() throws Exception {
    CompletableFuture<String> first = new CompletableFuture<>();
    ClientCall<String, String> call = channel.newCall(WATCH, CallOptions.DEFAULT);
    ClientCalls.asyncServerStreamingCall(
        call,
        "stream",
        new StreamObserver<>() {
          @Override
          public void onNext(String value) {
            first.complete(value);
          }

          @Override
          public void onError(Throwable thrown) {
            first.completeExceptionally(thrown);
          }

          @Override
          public void onCompleted() {}
        });

    assertThat(first.get(30, TimeUnit.SECONDS)).isEqualTo("17 left");
    assertThat(ends()).isEqualTo(GuardedClientTest.only(Outcome.SUCCESS));
    call.cancel("enough", null);
    server.awaitLeft();
    assertThat(ends()).isEqualTo(GuardedClientTest.only(Outcome.SUCCESS));
  }

  @Test
  void keys_name_breakers() {
    assertThat(GrpcKey.authority().of(GET, "inventory:8080")).isEqualTo("inventory:8080");
    assertThat(GrpcKey.service().of(GET, "inventory:8080"))
        .isEqualTo("inventory:8080 shop.Inventory");
    assertThat(GrpcKey.method().of(GET, "inventory:8080"))
        .isEqualTo("inventory:8080 shop.Inventory/Get");

    List<String> names = new CopyOnWriteArrayList<>();
    for (GrpcKey key :
        new GrpcKey[] {
          GrpcKey.method(),
          (method, authority) -> " ",
          (method, authority) -> {
            throw new IllegalStateException("key");
          }
        }) {
      channel =
          channel(
              calls ->
                  calls
                      .key(key)
                      .circuitBreakers(
                          name -> {
                            names.add(name);
                            return breaker;
                          }));
      get("OK");
    }
    String authority = channel.authority();
    assertThat(names).containsExactly(authority + " shop.Inventory/Get", authority, authority);
  }

  @Test
  void contradictions_are_told() {
    assertThatThrownBy(
            () ->
                GuardClientInterceptor.create(
                    calls -> calls.circuitBreaker(config -> {}).circuitBreakers(name -> breaker)))
        .isInstanceOf(InvalidConfigurationException.class)
        .hasMessageContaining("circuitBreaker: set, and circuitBreakers as well");
  }

  private ManagedChannel channel(Consumer<GuardClientInterceptor.Builder> settings) {
    if (channel != null) {
      channel.shutdownNow();
    }
    return server.channel(
        GuardClientInterceptor.create(
            calls -> {
              calls.circuitBreakers(name -> breaker);
              settings.accept(calls);
            }));
  }

  private String get(String request) {
    return ClientCalls.blockingUnaryCall(channel, GET, CallOptions.DEFAULT, request);
  }

  private Status.Code codeOf(String request) {
    try {
      get(request);
      return Status.Code.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }

  private List<Long> ends() {
    CircuitBreakerMetrics metrics = breaker.metrics();
    return List.of(metrics.succeeded(), metrics.failed(), metrics.ignored(), metrics.cancelled());
  }
}
