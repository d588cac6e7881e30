package dev.recloser.console;

/** What is wrong with an instance, in words that fit behind its name. */
@SuppressWarnings("serial") // Never leaves the panel.
final class FeedFault extends RuntimeException {
  FeedFault(String words) {
    super(words, null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
  }

  /** Of something that answers, but not as a panel does. */
  static FeedFault notAPanel(String why) {
    return new FeedFault("not a panel of Recloser: " + why);
  }

  String words() {
    return String.valueOf(getMessage());
  }
}
