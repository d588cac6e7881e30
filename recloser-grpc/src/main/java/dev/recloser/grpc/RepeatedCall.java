package dev.recloser.grpc;

import dev.recloser.CallNotPermittedException;
import dev.recloser.JudgedResult;
import dev.recloser.RetriedCall;
import dev.recloser.Retry;
import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A unary call that is made again as a retry says.
 *
 * <p>What the caller says is kept until it has said all, with {@code halfClose}, and then said to
 * each attempt. An attempt whose headers have come is the last one, and all that comes passes
 * through: as with gRPC's own retries (gRFC A6), where such a call is committed. One that ends
 * without them, as those do that a server fails or does not take, is judged by its status, and the
 * caller sees nothing of it if another is made.
 *
 * <p>Methods but {@code request} and {@code cancel} come from one thread at a time, and none but
 * these after {@code halfClose}; so gRPC has it.
 */
final class RepeatedCall<Q, A> extends ClientCall<Q, A> {
  private enum Phase {
    /** The caller has not said all that there is to be said. */
    TOLD,
    /** There is an attempt, or one is being started. */
    RUNNING,
    /** There is to be another attempt. */
    WAITING
  }

  private final Supplier<ClientCall<Q, A>> attempts;
  private final Supplier<Retry> retry;
  private final GrpcOutcomes outcomes;
  private final @Nullable Deadline deadline;
  private final Context context = Context.current();
  private final Executor executor;

  // What the caller has said; unchanged once the first attempt is begun.
  private @Nullable Listener<A> listener;
  private @Nullable Metadata headers;
  private final List<Q> messages = new ArrayList<>(1);
  private boolean compression;

  /** Made when the first attempt is begun; attempts hand it on. */
  private volatile @Nullable RetriedCall retried;

  /** Whether the caller has been told of the end, which is done once. */
  private final AtomicBoolean closed = new AtomicBoolean();

  // Guarded by this.
  private Phase phase = Phase.TOLD;
  private @Nullable ClientCall<Q, A> running;
  private @Nullable CompletableFuture<@Nullable Void> due;
  private int requested;
  private boolean cancelled;

  /**
   * Creates one.
   *
   * @param attempts makes a call that is not started, each under a permit of its own
   * @param retry asked when the first attempt is begun
   */
  RepeatedCall(
      Supplier<ClientCall<Q, A>> attempts,
      Supplier<Retry> retry,
      GrpcOutcomes outcomes,
      CallOptions options) {
    this.attempts = attempts;
    this.retry = retry;
    this.outcomes = outcomes;
    deadline = earlier(options.getDeadline(), context.getDeadline());
    executor = options.getExecutor() == null ? ForkJoinPool.commonPool() : options.getExecutor();
  }

  @Override
  public void start(Listener<A> responses, Metadata sent) {
    synchronized (this) {
      if (cancelled || listener != null) {
        throw new IllegalStateException("the call was cancelled, or started before");
      }
      listener = responses;
      headers = sent;
    }
  }

  @Override
  public void request(int messagesMore) {
    ClientCall<Q, A> call;
    synchronized (this) {
      requested = (int) Math.min((long) requested + messagesMore, Integer.MAX_VALUE);
      call = running;
    }
    if (call != null) {
      call.request(messagesMore);
    }
  }

  @Override
  public void sendMessage(Q message) {
    messages.add(message);
  }

  @Override
  public void setMessageCompression(boolean enabled) {
    compression = enabled;
  }

  @Override
  public boolean isReady() {
    return true; // What is sent is kept.
  }

  @Override
  public Attributes getAttributes() {
    ClientCall<Q, A> call;
    synchronized (this) {
      call = running;
    }
    return call == null ? Attributes.EMPTY : call.getAttributes();
  }

  @Override
  public void halfClose() {
    try {
      retried = beginRetried();
    } catch (Throwable thrown) {
      close(Status.fromThrowable(thrown), new Metadata());
      return;
    }
    begin();
  }

  /** No wait is begun that would end after the deadline. */
  private RetriedCall beginRetried() {
    Retry with = retry.get();
    if (deadline == null) {
      return with.begin();
    }
    Duration left = Duration.ofNanos(deadline.timeRemaining(TimeUnit.NANOSECONDS));
    return dev.recloser.Deadline.after(left).call(with::begin);
  }

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    ClientCall<Q, A> call;
    CompletableFuture<@Nullable Void> waiting;
    boolean ends;
    synchronized (this) {
      if (cancelled) {
        return;
      }
      cancelled = true;
      call = running;
      waiting = due;
      ends = phase != Phase.RUNNING && listener != null;
    }
    if (waiting != null) {
      waiting.cancel(/* mayInterruptIfRunning= */ true);
    }
    if (call != null) {
      call.cancel(message, cause); // It ends the call.
    } else if (ends) {
      close(Status.CANCELLED.withDescription(message).withCause(cause), new Metadata());
    }
  }

  /** Begins an attempt; one that cannot be begun is the end. */
  private void begin() {
    if (!mayRun()) {
      Objects.requireNonNull(retried).giveUp();
      return; // Who has cancelled it has told the listener.
    }
    ClientCall<Q, A> call = null;
    try {
      call = attempts.get();
      say(call);
    } catch (Throwable thrown) {
      close(Status.fromThrowable(thrown), new Metadata());
      if (call != null) {
        call.cancel("it cannot be sent", thrown);
      }
    }
  }

  private synchronized boolean mayRun() {
    if (!cancelled) {
      phase = Phase.RUNNING;
      due = null;
    }
    return !cancelled;
  }

  private void say(ClientCall<Q, A> call) {
    Metadata own = new Metadata();
    own.merge(Objects.requireNonNull(headers, "not started")); // Who gets it may change it.
    Attempt attempt = new Attempt();
    call.start(attempt, own);
    int wanted;
    boolean isGivenUp;
    synchronized (this) {
      if (!attempt.isOver) { // It may be, and the next one begun, on another thread.
        running = call;
      }
      wanted = requested;
      isGivenUp = cancelled;
    }
    if (isGivenUp) {
      call.cancel("cancelled while an attempt was being started", null);
      return;
    }
    if (wanted > 0) {
      call.request(wanted);
    }
    call.setMessageCompression(compression);
    messages.forEach(call::sendMessage);
    call.halfClose();
  }

  /** Tells the caller of the end, on the thread that is for it. */
  private void close(Status status, Metadata trailers) {
    Listener<A> told = Objects.requireNonNull(listener, "not started");
    if (closed.compareAndSet(false, true)) {
      execute(() -> told.onClose(status, trailers));
    }
  }

  /** On this thread if the executor takes nothing more, for a call must not stay without an end. */
  private void execute(Runnable task) {
    Runnable inContext = context.wrap(task);
    try {
      executor.execute(inContext);
    } catch (RejectedExecutionException e) {
      inContext.run();
    }
  }

  private void waitFor(CompletableFuture<@Nullable Void> next) {
    boolean isGivenUp;
    synchronized (this) {
      running = null;
      due = next;
      phase = Phase.WAITING;
      isGivenUp = cancelled;
    }
    if (isGivenUp) {
      next.cancel(/* mayInterruptIfRunning= */ true);
      close(Status.CANCELLED.withDescription("cancelled between two attempts"), new Metadata());
      return;
    }
    Context.CancellationListener withContext =
        ended -> cancel("the context was cancelled", ended.cancellationCause());
    context.addListener(withContext, Runnable::run);
    var unused =
        next.whenComplete(
            (nothing, givenUp) -> {
              context.removeListener(withContext);
              if (givenUp == null) {
                execute(this::begin);
              }
            });
  }

  /** Takes the end of an attempt; tells whether the caller has given up. */
  private synchronized boolean ended(Attempt attempt) {
    attempt.isOver = true;
    return cancelled;
  }

  private static @Nullable Deadline earlier(@Nullable Deadline one, @Nullable Deadline other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.minimum(other);
  }

  /** Hears what comes of an attempt. */
  private final class Attempt extends Listener<A> {
    private final Listener<A> caller = Objects.requireNonNull(listener);
    private boolean isCommitted;

    /** Guarded by the call. */
    private boolean isOver;

    @Override
    public void onHeaders(Metadata received) {
      isCommitted = true;
      caller.onHeaders(received);
    }

    @Override
    public void onMessage(A message) {
      isCommitted = true;
      caller.onMessage(message);
    }

    @Override
    public void onReady() {
      // The caller may always send.
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      Optional<CompletableFuture<@Nullable Void>> next = next(status, trailers);
      if (next.isPresent()) {
        waitFor(next.get());
      } else if (closed.compareAndSet(false, true)) {
        caller.onClose(status, trailers);
      }
    }

    private Optional<CompletableFuture<@Nullable Void>> next(Status status, Metadata trailers) {
      RetriedCall call = Objects.requireNonNull(retried);
      if (ended(this)) {
        call.giveUp();
      }
      if (status.getCause() instanceof CallNotPermittedException refused) {
        return call.ended(null, refused);
      }
      JudgedStatus judged = new JudgedStatus(outcomes, status, trailers);
      boolean isFinal = isCommitted || judged.forbidsRetry();
      JudgedResult result = isFinal ? new FinalStatus(judged) : judged;
      return call.ended(result, null);
    }
  }
}
