package dev.recloser;

import dev.recloser.HandEntry.End;
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
    List<HandEntry> entries = new ArrayList<>(policies.length);
    try {
      for (Policy policy : policies) {
        entries.add(policy.enter());
      }
    } catch (Throwable refused) {
      end(entries, End.failed(refused));
      throw refused;
    }
    return new PipelinePermit(entries);
  }

  @Override
  public boolean isProbe() {
    return entries.stream().anyMatch(HandEntry::isProbe);
  }

  @Override
  public void complete(@Nullable Object result) {
    end(new End(permit -> permit.complete(result), /* returned= */ true));
  }

  @Override
  public void fail(Throwable thrown) {
    Objects.requireNonNull(thrown, "thrown");
    end(End.failed(thrown));
  }

  @Override
  public void record(Outcome outcome) {
    Objects.requireNonNull(outcome, "outcome");
    end(new End(permit -> permit.record(outcome), outcome == Outcome.SUCCESS));
  }

  @Override
  public void record(Outcome outcome, String what) {
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(what, "what");
    end(new End(permit -> permit.record(outcome, what), outcome == Outcome.SUCCESS));
  }

  @Override
  void abandon() {
    end(new End(Permit::abandon, /* returned= */ false));
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
