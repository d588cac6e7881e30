package dev.recloser;

import org.jspecify.annotations.Nullable;

/** A call that a policy has let in by hand. */
interface HandEntry {
  /** Of a policy that does not care how the call ends. */
  HandEntry INDIFFERENT = end -> end;

  /** How a call has ended. */
  sealed interface End {
    /** Tells a breaker's permit. */
    void tell(Permit permit);

    /** Tells a bulkhead's slot. */
    void tell(BulkheadSlot slot);

    /** Whether the call has a result, rather than having failed or been given up. */
    default boolean returned() {
      return false;
    }
  }

  /** With a result. */
  record Returned(@Nullable Object result) implements End {
    @Override
    public void tell(Permit permit) {
      permit.complete(result);
    }

    @Override
    public void tell(BulkheadSlot slot) {
      slot.complete(result);
    }

    @Override
    public boolean returned() {
      return true;
    }
  }

  /** With an exception. */
  record Failed(Throwable thrown) implements End {
    @Override
    public void tell(Permit permit) {
      permit.fail(thrown);
    }

    @Override
    public void tell(BulkheadSlot slot) {
      slot.fail(thrown);
    }
  }

  /**
   * As whoever made it has judged it.
   *
   * @param what what is told of it; null for nothing
   */
  record Judged(Outcome outcome, @Nullable String what) implements End {
    @Override
    public void tell(Permit permit) {
      if (what == null) {
        permit.record(outcome);
      } else {
        permit.record(outcome, what);
      }
    }

    @Override
    public void tell(BulkheadSlot slot) {
      slot.record(outcome);
    }

    @Override
    public boolean returned() {
      return outcome == Outcome.SUCCESS;
    }
  }

  /** It was left without a word. */
  record Abandoned() implements End {
    @Override
    public void tell(Permit permit) {
      permit.abandon();
    }

    @Override
    public void tell(BulkheadSlot slot) {
      slot.close();
    }
  }

  /**
   * The call has ended.
   *
   * @return the same end, or what it is for those further out
   */
  End end(End end);

  /** Whether the call tests a half-open breaker. */
  default boolean isProbe() {
    return false;
  }
}
