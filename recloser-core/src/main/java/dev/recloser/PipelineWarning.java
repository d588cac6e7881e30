package dev.recloser;

/**
 * Something in a pipeline that cannot do what it looks like, or does more.
 *
 * @param rule a short name that stays the same, for whoever wants to tell warnings apart
 * @param message what is so, with its numbers
 * @param advice what to write instead
 */
public record PipelineWarning(String rule, String message, String advice) {
  @Override
  public String toString() {
    return rule + ": " + message + "; " + advice;
  }
}
