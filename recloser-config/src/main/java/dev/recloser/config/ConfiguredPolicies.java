package dev.recloser.config;

import dev.recloser.Bulkhead;
import dev.recloser.Cancellable;
import dev.recloser.CircuitBreaker;
import dev.recloser.Fallback;
import dev.recloser.Hedge;
import dev.recloser.Pipeline;
import dev.recloser.Policy;
import dev.recloser.PolicyEvent;
import dev.recloser.PolicySource;
import dev.recloser.RateLimiter;
import dev.recloser.Retry;
import dev.recloser.Timeout;
import dev.recloser.config.ConfigurationReload.Change;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The policies that {@link PolicyConfigs} describe, one for each kind and name, and the pipelines
 * around them. Whoever names a policy shares it.
 *
 * <pre>{@code
 * ConfiguredPolicies policies = PolicyConfigs.load(Path.of("application.yml")).policies();
 * Pipeline<Stock> stocks =
 *     policies.pipeline("orders-to-inventory", rules -> rules.onRefusal(Stock::unknown));
 * CircuitBreaker inventory = policies.circuitBreaker("inventory");
 * }</pre>
 *
 * <p>There are as many policies as are written, and no name makes another; a file that is changed
 * while it is followed may add some. None ever goes: one that files no longer have stays as it is.
 * Circuit breakers whose names come from requests are a matter for a {@link
 * dev.recloser.CircuitBreakerRegistry}; one that {@link BreakerConfigs#registry()} makes has
 * breakers of its own.
 *
 * <p>Thread-safe.
 */
public final class ConfiguredPolicies implements PolicySource<Policy> {
  /** What the files that made them were read with, for those that follow. */
  private final Consumer<? super PolicyConfigs.Base> base;

  /** Written under the lock; read once for each look. */
  private volatile LivingPolicies living;

  private final FollowedPolicies followed = new FollowedPolicies();

  /** The listeners that follow the policies, and what ends that. Guarded by itself. */
  private final Map<Consumer<? super PolicyEvent>, Cancellable> listeners = new HashMap<>();

  ConfiguredPolicies(PolicyConfigs configs) {
    base = configs.base();
    living = LivingPolicies.of(configs);
    followed.add(living.all());
    hear();
  }

  /**
   * The circuit breaker of a name.
   *
   * @throws IllegalArgumentException when there is none
   */
  public CircuitBreaker circuitBreaker(String name) {
    return living.find(CircuitBreaker.class, PolicyKind.CIRCUIT_BREAKER, name);
  }

  /**
   * The retry of a name.
   *
   * @throws IllegalArgumentException when there is none
   */
  public Retry retry(String name) {
    return living.find(Retry.class, PolicyKind.RETRY, name);
  }

  /**
   * The hedge of a name.
   *
   * @throws IllegalArgumentException when there is none
   */
  public Hedge hedge(String name) {
    return living.find(Hedge.class, PolicyKind.HEDGE, name);
  }

  /**
   * The bulkhead of a name that is under {@code bulkhead}.
   *
   * @throws IllegalArgumentException when there is none
   */
  public Bulkhead bulkhead(String name) {
    return living.find(Bulkhead.class, PolicyKind.BULKHEAD, name);
  }

  /**
   * The bulkhead of a name whose calls run on threads of its own. It may have the name of another
   * that {@link #bulkhead} gives.
   *
   * @throws IllegalArgumentException when there is none
   */
  public Bulkhead threadPoolBulkhead(String name) {
    return living.find(Bulkhead.class, PolicyKind.THREAD_POOL_BULKHEAD, name);
  }

  /**
   * The rate limiter of a name.
   *
   * @throws IllegalArgumentException when there is none
   */
  public RateLimiter rateLimiter(String name) {
    return living.find(RateLimiter.class, PolicyKind.RATE_LIMITER, name);
  }

  /**
   * The timeout of a name.
   *
   * @throws IllegalArgumentException when there is none
   */
  public Timeout timeout(String name) {
    return living.find(Timeout.class, PolicyKind.TIMEOUT, name);
  }

  /** All policies, those of a kind together. An immutable copy. */
  @Override
  public List<Policy> all() {
    return living.all();
  }

  /**
   * Does something about each policy: those there are, at once, and those that a changed file adds,
   * when it is taken.
   *
   * @param start begins with a policy, once, on the thread that calls this or takes the file; it
   *     may use the policies. What either throws is logged
   * @return ends it, for all policies; none ends before, for none goes
   */
  @Override
  public Cancellable follow(Function<? super Policy, ? extends Cancellable> start) {
    return followed.follow(Objects.requireNonNull(start, "start"));
  }

  /**
   * Makes the pipeline of a name, around policies that it shares with whoever else names them.
   *
   * @param <T> the type of the results
   * @throws IllegalArgumentException when there is none
   */
  public <T extends @Nullable Object> Pipeline<T> pipeline(String name) {
    return living.pipeline(name, calls -> {});
  }

  /**
   * Makes the pipeline of a name as {@link #pipeline(String)} does, with a fallback around its
   * policies.
   *
   * @param <T> the type of the results
   * @throws IllegalArgumentException when there is none
   */
  public <T extends @Nullable Object> Pipeline<T> pipeline(String name, Fallback<T> fallback) {
    Objects.requireNonNull(fallback, "fallback");
    return living.pipeline(name, calls -> calls.fallback(fallback));
  }

  /**
   * Makes the pipeline of a name as {@link #pipeline(String)} does, with a fallback around its
   * policies.
   *
   * @param rules those of the fallback
   * @param <T> the type of the results
   * @throws IllegalArgumentException when there is none
   */
  public <T extends @Nullable Object> Pipeline<T> pipeline(
      String name, Consumer<? super Fallback.Builder<T>> rules) {
    return pipeline(name, Fallback.of(rules));
  }

  /** Where the files are that they are of; empty if they are of something else. */
  List<Path> files() {
    return living.configs().files();
  }

  /**
   * Lets the policies be as these files have them, and where they say nothing, as the base has it
   * with which the policies were made.
   *
   * @throws InvalidConfigurationFileException when anything in the files is wrong; nothing is
   *     changed then
   */
  Exchange change(List<TextFile> files) {
    PolicyConfigs configs = living.configs().again(files, base);
    FindingLog.log(configs::findings);
    return change(configs);
  }

  /**
   * Lets the policies be as these configurations have them.
   *
   * <p>What shall be is one immutable value that is swapped, so that of two changes at a time one
   * is the last. The policies are told after that, since their listeners run then; whoever finds
   * that the value is another one by the time it is done tells them again.
   */
  @SuppressWarnings("ReferenceEquality") // Is it still the one that the policies were told?
  Exchange change(PolicyConfigs configs) {
    LivingPolicies before;
    LivingPolicies after;
    do {
      before = living;
      after = before.with(configs);
    } while (!replace(before, after));
    followed.add(after.addedSince(before));
    hear();
    List<Policy> changed = after.changedSince(before);
    LivingPolicies told;
    do {
      told = living;
      told.tell(changed);
    } while (living != told);
    return new Exchange(before, after, changed);
  }

  /**
   * Lets the listeners that files name now hear of what the policies do, and no others: a container
   * may make another bean with each reading. Under a lock, though of two changes at a time the last
   * may come first, for it looks itself what is named; to begin and to end runs no user code.
   */
  private void hear() {
    synchronized (listeners) {
      List<Consumer<? super PolicyEvent>> named = living.configs().listeners();
      listeners
          .entrySet()
          .removeIf(
              entry -> {
                boolean gone = !named.contains(entry.getKey());
                if (gone) {
                  entry.getValue().cancel();
                }
                return gone;
              });
      named.forEach(listener -> listeners.computeIfAbsent(listener, this::hear));
    }
  }

  private Cancellable hear(Consumer<? super PolicyEvent> listener) {
    return follow(policy -> policy.on(PolicyEvent.class, event -> tell(listener, event)));
  }

  /** One that is no longer named hears nothing more, and is there if it is named again. */
  private void tell(Consumer<? super PolicyEvent> listener, PolicyEvent event) {
    if (living.configs().listeners().contains(listener)) {
      listener.accept(event);
    }
  }

  @SuppressWarnings("ReferenceEquality") // Is it still the one that the new one was made from?
  private synchronized boolean replace(LivingPolicies before, LivingPolicies after) {
    if (living != before) {
      return false;
    }
    living = after;
    return true;
  }

  /**
   * What was swapped.
   *
   * @param changed the policies that were told
   */
  record Exchange(LivingPolicies before, LivingPolicies after, List<Policy> changed) {
    /** Every key that has another value. */
    List<Change> changes() {
      return Audit.changes(before, after);
    }
  }
}
