package dev.recloser.grpc;

import dev.recloser.JudgedResult;
import dev.recloser.Outcome;

/** A status after which there is no other attempt, whatever it says of the dependency. */
final class FinalStatus extends JudgedResult {
  private final JudgedStatus status;

  FinalStatus(JudgedStatus status) {
    this.status = status;
  }

  @Override
  public Outcome outcome() {
    Outcome outcome = status.outcome();
    return outcome == Outcome.FAILURE ? Outcome.IGNORED : outcome;
  }

  @Override
  public String what() {
    return status.what();
  }
}
