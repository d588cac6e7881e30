/**
 * Tools for testing code that uses Recloser: time that stands still until told otherwise, breakers
 * in the state a test needs, and asserts.
 *
 * <p>The asserts need AssertJ, the extension needs JUnit Jupiter; everything else needs neither.
 */
module dev.recloser.test {
  requires transitive dev.recloser;
  requires static org.assertj.core;
  requires static org.jspecify;
  requires static org.junit.jupiter.api;

  exports dev.recloser.test;
}
