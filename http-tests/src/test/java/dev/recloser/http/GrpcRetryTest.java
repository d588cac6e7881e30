package dev.recloser.http;

import static dev.recloser.http.GrpcInventory.GET;
import static dev.recloser.http.GrpcInventory.WATCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.recloser.Cancellable;
import dev.recloser.CircuitBreaker;
import dev.recloser.Jitter;
import dev.recloser.Retry;
import dev.recloser.Scheduler;
import dev.recloser.grpc.GrpcKey;
import dev.recloser.grpc.GuardClientInterceptor;
import dev.recloser.test.FakeTime;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the interceptor of gRPC calls makes again; waits are on fake time, the server is real. */
@Timeout(60)
@DisplayNameGeneration(ReplaceUnderscores.class)
final class GrpcRetryTest {
  private static final MethodDescriptor<String, String> SAFE =
      GET.toBuilder().setSafe(true).build();

  private final FakeTime time = FakeTime.create();
  private final CircuitBreaker breaker =
      CircuitBreaker.create("inventory", config -> config.ticker(time));
  private final Retry retry = retry(new PassingTime(time));
  private GrpcInventory server;
  private ManagedChannel channel;

  @BeforeEach
  void start() throws IOException {
    server = GrpcInventory.start();
    use(retry, calls -> {});
  }

  @AfterEach
  void stop() {
    channel.shutdownNow();
    server.close();
  }

  @Test
  void a_call_that_failed_is_made_again_with_its_message_and_waits_as_long_as_it_says() {
    assertThat(get("UNAVAILABLE pushback 20000,OK")).isEqualTo("17 left");

    assertThat(server.messages()).hasSize(2);
    assertThat(time.elapsed()).isEqualTo(Duration.ofSeconds(20));
    assertThat(ends()).as("each attempt").containsExactly(1L, 1L, 0L, 0L);
  }

  @Test
  void every_kind_of_stub_gets_the_last_attempt_only() throws Exception {
    Future<String> future =
        ClientCalls.futureUnaryCall(
            channel.newCall(SAFE, CallOptions.DEFAULT), "UNAVAILABLE,INTERNAL,OK");
    assertThat(future.get(30, TimeUnit.SECONDS)).isEqualTo("17 left");

    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    ClientCall<String, String> call = channel.newCall(SAFE, CallOptions.DEFAULT);
    call.start(new Hearing(heard), new Metadata());
    assertThat(call.isReady()).isTrue();
    call.sendMessage("OK,OK,OK,UNAVAILABLE,OK");
    call.halfClose();
    call.request(1);
    assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("headers");
    assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("17 left");
    assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("OK");
    assertThat(heard).isEmpty();
  }

  @Test
  void the_last_status_is_the_status() {
    assertThat(codeOf("UNAVAILABLE")).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(server.messages()).hasSize(3);
    assertThat(ends()).containsExactly(0L, 3L, 0L, 0L);
    assertThat(retry.metrics().exhausted()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NOT_FOUND",
        "INVALID_ARGUMENT",
        "CANCELLED",
        "UNAVAILABLE pushback -1",
        "UNAVAILABLE pushback soon",
        "UNAVAILABLE late"
      })
  void what_is_no_failure_or_forbidden_or_has_begun_to_answer_is_not_made_again(String how) {
    codeOf(how);
    assertThat(server.messages()).hasSize(1);
  }

  @Test
  void only_unary_calls_of_idempotent_methods_are_made_again() {
    assertThatThrownBy(
            () -> ClientCalls.blockingUnaryCall(channel, GET, CallOptions.DEFAULT, "UNAVAILABLE"))
        .isInstanceOf(StatusRuntimeException.class);
    assertThat(server.messages()).hasSize(1);

    use(retry, calls -> calls.idempotent(method -> true));
    assertThat(
            ClientCalls.blockingUnaryCall(channel, GET, CallOptions.DEFAULT, "OK,UNAVAILABLE,OK"))
        .isEqualTo("17 left");
    assertThat(server.messages()).hasSize(3);

    assertThatThrownBy(
            () ->
                ClientCalls.blockingServerStreamingCall(
                        channel, WATCH, CallOptions.DEFAULT, "UNAVAILABLE")
                    .next())
        .isInstanceOf(StatusRuntimeException.class);
    assertThat(server.messages()).hasSize(4);
  }

  @Test
  void a_predicate_that_throws_means_once() {
    use(
        retry,
        calls ->
            calls.idempotent(
                method -> {
                  throw new IllegalStateException("predicate");
                }));
    codeOf("UNAVAILABLE");
    assertThat(server.messages()).hasSize(1);
  }

  @Test
  void a_refusal_is_not_made_again() {
    breaker.transitionTo(CircuitBreaker.State.OPEN);
    assertThat(codeOf("OK")).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(server.messages()).isEmpty();
    assertThat(retry.metrics().notRetried()).isEqualTo(1);
  }

  @Test
  void no_wait_is_begun_that_would_end_after_the_deadline() {
    assertThatThrownBy(
            () ->
                ClientCalls.blockingUnaryCall(
                    channel,
                    SAFE,
                    CallOptions.DEFAULT.withDeadlineAfter(10, TimeUnit.SECONDS),
                    "UNAVAILABLE pushback 20000"))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            thrown -> assertThat(thrown.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
    assertThat(server.messages()).hasSize(1);
    assertThat(time.elapsed()).isZero();
  }

  @Test
  void cancelling_ends_the_wait() throws Exception {
    use(retry(time), calls -> {});
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    ClientCall<String, String> call = channel.newCall(SAFE, CallOptions.DEFAULT);
    call.start(new Hearing(heard), new Metadata());
    call.sendMessage("UNAVAILABLE");
    call.halfClose();
    awaitTimer();
    call.cancel("enough", null);

    assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("CANCELLED");
    time.advance(Duration.ofMinutes(1));
    assertThat(server.messages()).hasSize(1);
    assertThat(ends()).containsExactly(0L, 1L, 0L, 0L);
  }

  @Test
  void the_end_of_the_context_ends_the_wait() throws Exception {
    use(retry(time), calls -> {});
    Context.CancellableContext context = Context.current().withCancellation();
    Future<String> future =
        context.call(
            () ->
                ClientCalls.futureUnaryCall(
                    channel.newCall(SAFE, CallOptions.DEFAULT), "UNAVAILABLE"));
    awaitTimer();
    context.cancel(null);

    assertThatThrownBy(() -> future.get(30, TimeUnit.SECONDS))
        .hasCauseInstanceOf(StatusRuntimeException.class)
        .hasMessageContaining("CANCELLED");
    assertThat(time.pendingTimers()).isZero();
  }

  @Test
  void cancelling_while_an_attempt_goes_on_is_no_evidence() {
    var future =
        ClientCalls.futureUnaryCall(channel.newCall(SAFE, CallOptions.DEFAULT), "UNAVAILABLE,hang");
    server.awaitHanging();
    future.cancel(true);

    server.awaitLeft();
    assertThat(server.messages()).hasSize(2);
    assertThat(ends()).containsExactly(0L, 1L, 0L, 1L);
  }

  @Test
  void a_call_that_is_cancelled_before_it_was_sent_is_not_made() throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    ClientCall<String, String> call = channel.newCall(SAFE, CallOptions.DEFAULT);
    call.start(new Hearing(heard), new Metadata());
    call.sendMessage("OK");
    call.cancel("never mind", null);

    assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo("CANCELLED");
    assertThat(breaker.metrics().admitted()).isZero();
  }

  @Test
  void a_message_that_cannot_be_sent_is_the_end_once() throws Exception {
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    MethodDescriptor<String, String> broken =
        SAFE.toBuilder(
                new MethodDescriptor.Marshaller<String>() {
                  @Override
                  public InputStream stream(String value) {
                    throw new IllegalStateException("marshaller");
                  }

                  @Override
                  public String parse(InputStream stream) {
                    return "";
                  }
                },
                SAFE.getResponseMarshaller())
            .build();
    ClientCall<String, String> call = channel.newCall(broken, CallOptions.DEFAULT);
    call.start(new Hearing(heard), new Metadata());
    call.sendMessage("OK");
    call.halfClose();

    assertThat(heard.poll(30, TimeUnit.SECONDS)).isIn("UNKNOWN", "CANCELLED");
    assertThat(get("OK")).isEqualTo("17 left");
    assertThat(heard).isEmpty();
    assertThat(ends()).containsExactly(1L, 0L, 0L, 1L);
  }

  @Test
  void a_retry_that_cannot_be_had_ends_the_call() {
    use(
        () -> {
          throw new IllegalStateException("no retries");
        },
        calls -> {});
    assertThat(codeOf("OK")).isEqualTo(Status.Code.UNKNOWN);
  }

  @Test
  void what_it_made_for_itself_can_be_followed() {
    channel.shutdownNow();
    GuardClientInterceptor guard =
        GuardClientInterceptor.create(
            calls -> calls.key(GrpcKey.service()).retry(config -> config.maxAttempts(2)));
    List<String> heard = new ArrayList<>();
    Cancellable unused =
        guard
            .policies()
            .follow(
                policy -> {
                  heard.add(policy.getClass().getSimpleName() + " " + policy.name());
                  return () -> {};
                });
    channel = server.channel(guard);
    assertThat(get("OK")).isEqualTo("17 left");

    String service = channel.authority() + " " + GET.getServiceName();
    assertThat(heard).containsExactly("Retry " + service, "CircuitBreaker " + service);
    assertThat(
            GuardClientInterceptor.create(calls -> calls.circuitBreakers(name -> breaker))
                .policies()
                .all())
        .isEmpty();
  }

  private void use(Retry with, Consumer<GuardClientInterceptor.Builder> more) {
    use(() -> with, more);
  }

  private void use(Supplier<Retry> with, Consumer<GuardClientInterceptor.Builder> more) {
    if (channel != null) {
      channel.shutdownNow();
    }
    channel =
        server.channel(
            GuardClientInterceptor.create(
                calls -> {
                  calls.circuitBreakers(name -> breaker).retries(name -> with.get());
                  more.accept(calls);
                }));
  }

  private Retry retry(Scheduler scheduler) {
    return Retry.create(
        "inventory",
        config ->
            config
                .waitDuration(Duration.ofSeconds(1))
                .maxWaitDuration(Duration.ofSeconds(60))
                .jitter(Jitter.NONE)
                .ticker(time)
                .scheduler(scheduler));
  }

  private void awaitTimer() {
    while (time.pendingTimers() == 0 && !Thread.currentThread().isInterrupted()) {
      Thread.onSpinWait();
    }
  }

  private String get(String request) {
    return ClientCalls.blockingUnaryCall(channel, SAFE, CallOptions.DEFAULT, request);
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
    var metrics = breaker.metrics();
    return List.of(metrics.succeeded(), metrics.failed(), metrics.ignored(), metrics.cancelled());
  }

  /** Hears what a caller hears, in order. */
  private static final class Hearing extends ClientCall.Listener<String> {
    private final BlockingQueue<String> heard;

    Hearing(BlockingQueue<String> heard) {
      this.heard = heard;
    }

    @Override
    public void onHeaders(Metadata headers) {
      heard.add("headers");
    }

    @Override
    public void onMessage(String message) {
      heard.add(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      heard.add(status.getCode().name());
    }
  }
}
