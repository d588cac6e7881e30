package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stripes by themselves: beside a plain account of the same calls, and with many threads. */
final class StripesTest {
  private static final long LIMIT = 50;
  private static final int MOST_IN_FLIGHT = 4 + 63 * 14;

  private final Object lock = new Object();
  private final Stripes stripes = new Stripes(lock);

  /** What the stripes should know, in the plainest way. */
  private static final class Account {
    final Map<Integer, Long> timed = new HashMap<>();
    final List<Integer> untimed = new ArrayList<>();
    final List<Integer> overdue = new ArrayList<>();
    boolean sealed = true;
    boolean passed;
    int successes;
    long slowest = -1;

    int inFlight() {
      return timed.size() + untimed.size();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, Long.MAX_VALUE - 5_000, Long.MIN_VALUE + 1, -7})
  void know_what_a_plain_account_knows(long origin) {
    for (long seed = 0; seed < 300; seed++) {
      compare(new SplittableRandom(seed), origin);
    }
  }

  private static void compare(SplittableRandom random, long origin) {
    Stripes stripes = new Stripes(new Object());
    Account account = new Account();
    int crowd = random.nextInt(1, 120);
    long now = origin;
    for (int step = 0; step < 400; step++) {
      now += random.nextInt(10);
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> begin(stripes, account, now, crowd, random);
        case 4, 5, 6 -> succeed(stripes, account, now, random);
        case 7 -> end(stripes, account, random);
        case 8 -> {
          stripes.seal();
          account.sealed = true;
        }
        case 9 -> {
          stripes.unseal();
          account.sealed = account.passed;
        }
        case 10 -> lookForOverdue(stripes, account, now);
        default -> takeOver(stripes, account);
      }
      if (random.nextInt(200) == 0) {
        passAndPerhapsResume(stripes, account, random);
      }
      assertThat(stripes.callsInFlight()).isEqualTo(account.inFlight());
      assertThat(stripes.calls()).isEqualTo(account.inFlight() + account.successes);
      assertThat(stripes.overdue()).isEqualTo(account.overdue.size());
      assertThat(stripes.earliestInTime()).isEqualTo(earliest(account, /* overdue= */ false));
      assertThat(stripes.earliestOverdue()).isEqualTo(earliest(account, /* overdue= */ true));
    }
  }

  private static void begin(
      Stripes stripes, Account account, long now, int crowd, SplittableRandom random) {
    if (account.inFlight() >= crowd) {
      return;
    }
    boolean timed = random.nextBoolean();
    int slot = timed ? stripes.begin(now) : stripes.beginUntimed();
    if (account.passed) {
      assertThat(slot).isEqualTo(Stripes.NONE);
    } else if (timed) {
      assertThat(account.timed.put(slot, now)).as("slot %d is another's", slot).isNull();
    } else {
      account.untimed.add(slot);
    }
  }

  private static void succeed(Stripes stripes, Account account, long now, SplittableRandom random) {
    boolean timed = !account.timed.isEmpty() && random.nextBoolean();
    Integer slot = any(timed ? List.copyOf(account.timed.keySet()) : account.untimed, random);
    if (slot == null) {
      return;
    }
    long nanos = timed ? now - account.timed.get(slot) : -1;
    boolean quietly = stripes.succeed(slot, timed ? now : Stripes.NO_TIME, nanos);
    assertThat(quietly).isEqualTo(!account.sealed && !account.overdue.contains(slot));
    account.slowest = Math.max(account.slowest, nanos);
    if (quietly) {
      account.successes++;
    } else {
      stripes.end(slot);
    }
    forget(account, slot);
  }

  private static void end(Stripes stripes, Account account, SplittableRandom random) {
    List<Integer> all = new ArrayList<>(account.timed.keySet());
    all.addAll(account.untimed);
    Integer slot = any(all, random);
    if (slot != null) {
      stripes.end(slot);
      forget(account, slot);
    }
  }

  private static void lookForOverdue(Stripes stripes, Account account, long now) {
    stripes.markOverdue(now, LIMIT);
    account.timed.forEach(
        (slot, start) -> {
          if (now - start > LIMIT && !account.overdue.contains(slot)) {
            account.overdue.add(slot);
          }
        });
  }

  private static void takeOver(Stripes stripes, Account account) {
    assertThat(stripes.take()).isEqualTo(account.successes);
    if (account.successes > 0) {
      assertThat(stripes.takeSlowest()).isLessThanOrEqualTo(account.slowest);
    }
    account.successes = 0;
  }

  private static void passAndPerhapsResume(
      Stripes stripes, Account account, SplittableRandom random) {
    if (account.passed) {
      return;
    }
    assertThat(stripes.pass()).isEqualTo(account.inFlight());
    end(stripes, account, random);
    account.sealed = true;
    account.passed = random.nextBoolean();
    if (!account.passed) {
      assertThat(stripes.resume()).isEqualTo(account.inFlight());
    }
  }

  private static Integer any(List<Integer> slots, SplittableRandom random) {
    return slots.isEmpty() ? null : slots.get(random.nextInt(slots.size()));
  }

  private static void forget(Account account, Integer slot) {
    if (account.timed.remove(slot) == null) {
      account.untimed.remove(slot);
    }
    account.overdue.remove(slot);
  }

  private static Long earliest(Account account, boolean overdue) {
    return account.timed.entrySet().stream()
        .filter(entry -> account.overdue.contains(entry.getKey()) == overdue)
        .map(Map.Entry::getValue)
        .reduce((one, other) -> one - other < 0 ? one : other)
        .orElse(null);
  }

  @Test
  void have_room_for_hundreds_of_timed_calls_and_then_none() {
    long calls =
        LongStream.generate(() -> stripes.begin(1)).takeWhile(s -> s != Stripes.NONE).count();
    assertThat(calls).isEqualTo(MOST_IN_FLIGHT);
    assertThat(stripes.callsInFlight()).isEqualTo(MOST_IN_FLIGHT);
    stripes.markOverdue(1 + LIMIT + 1, LIMIT);
    assertThat(stripes.overdue()).isEqualTo(MOST_IN_FLIGHT);
  }

  @Test
  void have_room_for_thousands_of_untimed_calls_and_then_none() {
    int calls = 0;
    while (stripes.beginUntimed() != Stripes.NONE) {
      calls++;
    }
    assertThat(calls).isEqualTo(8_193);
    assertThat(stripes.callsInFlight()).isEqualTo(8_193);
  }

  @Test
  void ask_for_successes_to_be_taken_over_before_there_are_too_many() {
    stripes.takeEvery(100);
    stripes.unseal();
    int quiet = 0;
    while (stripes.succeed(stripes.beginUntimed(), Stripes.NO_TIME, -1)) {
      quiet++;
    }
    assertThat(quiet).isEqualTo(256);
    assertThat(stripes.take()).isEqualTo(256);
  }

  @Test
  void lose_and_double_no_call_of_many_threads_however_often_they_are_sealed() throws Exception {
    int threads = 6;
    int callsEach = 60_000;
    AtomicInteger underLock = new AtomicInteger();
    AtomicInteger takenOver = new AtomicInteger();
    AtomicBoolean over = new AtomicBoolean();
    CountDownLatch begin = new CountDownLatch(1);
    ExecutorService pool = Executors.newCachedThreadPool();
    List<Future<?>> callers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      boolean timed = i % 2 == 0;
      callers.add(
          pool.submit(
              () -> {
                begin.await();
                for (int call = 0; call < callsEach; call++) {
                  int slot = timed ? stripes.begin(call) : stripes.beginUntimed();
                  if (!stripes.succeed(slot, timed ? call : Stripes.NO_TIME, timed ? 0 : -1)) {
                    synchronized (lock) {
                      stripes.end(slot);
                      takenOver.addAndGet(stripes.take());
                      underLock.incrementAndGet();
                    }
                  }
                }
                return null;
              }));
    }
    Future<?> sealer =
        pool.submit(
            () -> {
              begin.await();
              while (!over.get()) {
                synchronized (lock) {
                  stripes.seal();
                  takenOver.addAndGet(stripes.take());
                  // Sealed, there is nothing more to take.
                  assertThat(stripes.take()).isZero();
                  stripes.markOverdue(Long.MAX_VALUE / 2, Long.MAX_VALUE / 4);
                  stripes.unseal();
                }
                Thread.onSpinWait();
              }
              return null;
            });

    begin.countDown();
    for (Future<?> caller : callers) {
      caller.get(60, TimeUnit.SECONDS);
    }
    over.set(true);
    sealer.get(60, TimeUnit.SECONDS);
    pool.shutdown();

    assertThat(takenOver.get() + stripes.take() + underLock.get()).isEqualTo(threads * callsEach);
    assertThat(stripes.callsInFlight()).isZero();
    assertThat(stripes.overdue()).isZero();
    assertThat(takenOver.get()).as("ended without the lock").isPositive();
  }

  @Test
  @Timeout(60)
  void hand_on_a_call_too_many_that_has_come_just_before_the_state_passes() throws Exception {
    int room = 8_191; // The next call is the first that must ask.
    for (int i = 0; i < room; i++) {
      stripes.beginUntimed();
    }
    CompletableFuture<Integer> slot;
    long handedOn;
    synchronized (lock) {
      slot = CompletableFuture.supplyAsync(stripes::beginUntimed);
      CompletableFuture<Integer> next = CompletableFuture.supplyAsync(stripes::beginUntimed);
      while (stripes.callsInFlight() < room + 2) { // Both are waiting for the lock.
        Thread.onSpinWait();
      }
      handedOn = stripes.pass();
      slot = slot.thenCombine(next, Math::min);
    }

    assertThat(slot.get()).isNotEqualTo(Stripes.NONE);
    assertThat(handedOn).isEqualTo(stripes.callsInFlight());
  }
}
