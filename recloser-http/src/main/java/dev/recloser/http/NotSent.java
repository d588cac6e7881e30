package dev.recloser.http;

import dev.recloser.JudgedResult;
import dev.recloser.Outcome;

/** What a request means that never left: nothing, whatever the rules for exceptions say. */
final class NotSent extends JudgedResult {
  static final NotSent INSTANCE = new NotSent();

  private NotSent() {}

  @Override
  public Outcome outcome() {
    return Outcome.IGNORED;
  }

  @Override
  public String what() {
    return "not sent";
  }
}
