package dev.recloser.config;

import dev.recloser.Cancellable;
import dev.recloser.Policy;
import dev.recloser.PolicySource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Policies that become more and never fewer, some at a time, and who follows them.
 *
 * <p>Each follower meets each of these lots once: both are put down under the lock, and the one
 * that comes second finds the other. What they do about policies is user code, and runs under none.
 *
 * <p>Thread-safe.
 */
final class FollowedPolicies {
  // Guarded by this.
  private final List<PolicySource<Policy>> lots = new ArrayList<>();
  private final Set<Follower> followers = new LinkedHashSet<>();

  /** Adds policies that are not in yet. */
  void add(List<Policy> policies) {
    if (!policies.isEmpty()) {
      PolicySource<Policy> lot = PolicySource.of(policies);
      putDown(lot).forEach(follower -> follower.begin(lot));
    }
  }

  /** See {@link PolicySource#follow}. */
  Cancellable follow(Function<? super Policy, ? extends Cancellable> start) {
    Follower follower = new Follower(start);
    putDown(follower).forEach(follower::begin);
    return () -> {
      remove(follower);
      follower.end();
    };
  }

  private synchronized List<Follower> putDown(PolicySource<Policy> lot) {
    lots.add(lot);
    return List.copyOf(followers);
  }

  private synchronized List<PolicySource<Policy>> putDown(Follower follower) {
    followers.add(follower);
    return List.copyOf(lots);
  }

  private synchronized void remove(Follower follower) {
    followers.remove(follower);
  }

  /** What is done about each policy. Of a lot that begins while all ends, one finds the other. */
  private static final class Follower {
    private final Function<? super Policy, ? extends Cancellable> start;

    /** Null when it is over. Guarded by this. */
    private @Nullable List<Cancellable> begun = new ArrayList<>();

    Follower(Function<? super Policy, ? extends Cancellable> start) {
      this.start = start;
    }

    void begin(PolicySource<Policy> lot) {
      Cancellable following = lot.follow(start);
      if (!keep(following)) {
        following.cancel();
      }
    }

    void end() {
      takeAll().forEach(Cancellable::cancel);
    }

    private synchronized boolean keep(Cancellable following) {
      return begun != null && begun.add(following);
    }

    private synchronized List<Cancellable> takeAll() {
      List<Cancellable> all = begun == null ? List.of() : begun;
      begun = null;
      return all;
    }
  }
}
