package dev.recloser;

import dev.recloser.HandEntry.Abandoned;
import dev.recloser.HandEntry.End;
import dev.recloser.HandEntry.Failed;
import dev.recloser.HandEntry.Judged;
import dev.recloser.HandEntry.Returned;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A call that all policies of a pipeline have let in by hand; the innermost learns its end first.
 */
final class PipelinePermit extends Permit {
  private final List<HandEntry> entries;
  private final AtomicBoolean done = new AtomicBoolean();

  private PipelinePermit(List<HandEntry> entries) {
    this.entries = entries;
  }

  /** Asks the policies one after the other; a refusal ends the call for those that let it in. */
  static PipelinePermit acquire(Policy[] policies) {
    check(policies);
    List<HandEntry> entries = new ArrayList<>(policies.length);
    try {
      for (Policy policy : policies) {
        entries.add(policy.enter());
      }
    } catch (Throwable refused) {
      end(entries, new Failed(refused));
      throw refused;
    }
    return new PipelinePermit(entries);
  }

  /** Before any lets it in: the mistake is the caller's, and no failure of a call. */
  private static void check(Policy[] policies) {
    for (Policy policy : policies) {
      if (!policy.letsInByHand()) {
        throw new IllegalStateException(
            policy.describe()
                + ": cannot be entered by hand, for it makes calls itself (expected: circuit"
                + " breakers, rate limiters, bulkheads and timeouts only)");
      }
    }
  }

  @Override
  public boolean isProbe() {
    return entries.stream().anyMatch(HandEntry::isProbe);
  }

  @Override
  public void complete(@Nullable Object result) {
    end(new Returned(result));
  }

  @Override
  public void fail(Throwable thrown) {
    Objects.requireNonNull(thrown, "thrown");
    end(new Failed(thrown));
  }

  @Override
  public void record(Outcome outcome) {
    Objects.requireNonNull(outcome, "outcome");
    end(new Judged(outcome, null));
  }

  @Override
  public void record(Outcome outcome, String what) {
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(what, "what");
    end(new Judged(outcome, what));
  }

  @Override
  void abandon() {
    end(new Abandoned());
  }

  private void end(End end) {
    if (done.compareAndSet(false, true)) {
      end(entries, end);
    }
  }

  private static void end(List<HandEntry> entries, End end) {
    End seen = end;
    for (int i = entries.size() - 1; i >= 0; i--) {
      seen = entries.get(i).end(seen);
    }
  }
}
