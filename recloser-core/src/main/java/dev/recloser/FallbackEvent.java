package dev.recloser;

import java.time.Duration;

/**
 * Something that happened to a {@link Fallback} in its place in a pipeline; to be listened to
 * there, see {@link Pipeline#policies}.
 */
public sealed interface FallbackEvent extends PolicyEvent {
  /**
   * A call that was refused or failed has got an answer all the same.
   *
   * @param policy the name of the pipeline
   * @param source what the answer is
   * @param age how old it is; zero unless stale
   * @param thrown what the call threw
   */
  record Answered(String policy, Answer.Source source, Duration age, Throwable thrown)
      implements FallbackEvent {}

  /**
   * What a call threw has been replaced by another exception, as it was meant to be.
   *
   * @param policy the name of the pipeline
   * @param thrown what the call threw
   * @param replacement what its caller gets
   */
  record Replaced(String policy, Throwable thrown, Throwable replacement)
      implements FallbackEvent {}

  /**
   * The fallback itself has failed.
   *
   * @param policy the name of the pipeline
   * @param thrown what the call threw
   * @param own what the fallback threw, which its caller gets
   */
  record Failed(String policy, Throwable thrown, Throwable own) implements FallbackEvent {}
}
