package dev.recloser.http;

import dev.recloser.Hedge;
import dev.recloser.Retry;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One call of a caller with the JDK's client, in rounds: a round is an attempt, or with a hedge a
 * few at the same time, and with a retry there may be one round after the other.
 */
final class Rounds<T> {
  private final SentCall<T> call;
  private final @Nullable Retry retry;
  private final @Nullable Hedge hedge;

  /**
   * What the last round got; if there is another, nobody will read it. Written by one round after
   * the other, and read by a caller that ends the call meanwhile.
   */
  private volatile @Nullable Attempt<HttpResponse<T>> last;

  /** Whether the caller has ended the call; who writes it looks at {@code last} afterwards. */
  private volatile boolean ended;

  Rounds(SentCall<T> call, @Nullable Retry retry, @Nullable Hedge hedge) {
    this.call = call;
    this.retry = retry;
    this.hedge = hedge;
  }

  HttpResponse<T> send() throws IOException, InterruptedException {
    if (retry == null) {
      return round().response();
    }
    try {
      return retry.<Attempt<HttpResponse<T>>, Exception>call(this::round).response();
    } catch (IOException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e); // No client throws one.
    }
  }

  CompletableFuture<HttpResponse<T>> sendAsync() {
    CompletableFuture<Attempt<HttpResponse<T>>> got =
        retry == null ? roundAsync() : retry.callAsync(this::roundAsync);
    return Futures.then(got, new Ended(got, this::endedByCaller), Attempt::response);
  }

  private Attempt<HttpResponse<T>> round() throws IOException, InterruptedException {
    letGoOfLast();
    Attempt<HttpResponse<T>> got;
    try {
      got = hedge == null ? call.attempt() : await(hedged(hedge));
    } catch (Throwable thrown) {
      if (!call.hasNotSent(thrown)) {
        throw thrown;
      }
      return Attempt.notSent(thrown);
    }
    last = got;
    return got;
  }

  private CompletableFuture<Attempt<HttpResponse<T>>> roundAsync() {
    letGoOfLast();
    CompletableFuture<Attempt<HttpResponse<T>>> got =
        hedge == null ? call.attemptAsync() : hedged(hedge);
    return Futures.then(got, new Ended(got), new Remembered());
  }

  /** The end of a round, to which the retry then comes. */
  private final class Remembered
      implements Futures.Step<Attempt<HttpResponse<T>>, Attempt<HttpResponse<T>>> {
    @Override
    public Attempt<HttpResponse<T>> of(Attempt<HttpResponse<T>> got) {
      last = got;
      if (ended) {
        got.letGo(); // Who has ended the call may have come too early to find it.
      }
      return got;
    }

    @Override
    public @Nullable Attempt<HttpResponse<T>> insteadOf(Throwable thrown) {
      return call.hasNotSent(thrown) ? Attempt.notSent(thrown) : null;
    }
  }

  private void letGoOfLast() {
    Attempt<HttpResponse<T>> unread = last;
    if (unread != null) {
      unread.letGo();
    }
  }

  private void endedByCaller(@Nullable Throwable thrown) {
    call.endedByCaller(thrown);
    ended = true;
    letGoOfLast();
  }

  /**
   * Makes attempts at the same time, and lets go of all but the one that is the answer, whenever
   * they come.
   */
  private CompletableFuture<Attempt<HttpResponse<T>>> hedged(Hedge with) {
    CompletableFuture<@Nullable Attempt<HttpResponse<T>>> answer = new CompletableFuture<>();
    CompletableFuture<Attempt<HttpResponse<T>>> got = with.callAsync(() -> rival(answer));
    var unused = got.whenComplete((best, thrown) -> answer.complete(best));
    return got;
  }

  private CompletableFuture<Attempt<HttpResponse<T>>> rival(
      CompletableFuture<@Nullable Attempt<HttpResponse<T>>> answer) {
    CompletableFuture<Attempt<HttpResponse<T>>> attempt = call.attemptAsync();
    var unused = attempt.thenAccept(got -> letGoUnlessBest(got, answer));
    return attempt;
  }

  @SuppressWarnings("ReferenceEquality") // Is it the same attempt?
  private static <R> void letGoUnlessBest(
      Attempt<R> got, CompletableFuture<@Nullable Attempt<R>> answer) {
    var unused =
        answer.thenAccept(
            best -> {
              if (best != got) {
                got.letGo();
              }
            });
  }

  /** Waits as the client's own {@code send} does: an interrupt ends the call. */
  private static <R> Attempt<R> await(CompletableFuture<Attempt<R>> future)
      throws IOException, InterruptedException {
    try {
      return future.get();
    } catch (InterruptedException e) {
      future.cancel(/* mayInterruptIfRunning= */ true);
      var unused = future.thenAccept(Attempt::letGo); // It may have come at this very moment.
      throw e;
    } catch (ExecutionException e) {
      throw unwrapped(e);
    }
  }

  private static IOException unwrapped(ExecutionException e)
      throws IOException, InterruptedException {
    Throwable thrown = e.getCause();
    if (thrown instanceof IOException io) {
      throw io;
    } else if (thrown instanceof InterruptedException interrupted) {
      throw interrupted;
    } else if (thrown instanceof RuntimeException unchecked) {
      throw unchecked;
    } else if (thrown instanceof Error error) {
      throw error;
    }
    return new IOException(thrown); // No client throws one.
  }

  /** Ends what is further in with what this was ended with, and lets go of what comes too late. */
  private final class Ended implements Futures.End<Attempt<HttpResponse<T>>> {
    private final CompletableFuture<?> inside;
    private final Consumer<@Nullable Throwable> byCaller;

    Ended(CompletableFuture<?> inside) {
      this(inside, thrown -> {});
    }

    Ended(CompletableFuture<?> inside, Consumer<@Nullable Throwable> byCaller) {
      this.inside = inside;
      this.byCaller = byCaller;
    }

    @Override
    public void ended(@Nullable Attempt<HttpResponse<T>> got, @Nullable Throwable thrown) {}

    @Override
    public void endedByCaller(@Nullable Throwable thrown) {
      byCaller.accept(thrown);
      if (thrown != null) {
        inside.completeExceptionally(thrown);
      }
    }

    @Override
    public void unclaimed(Attempt<HttpResponse<T>> got) {
      got.letGo();
    }
  }
}
