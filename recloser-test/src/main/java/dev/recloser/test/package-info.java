/**
 * Tools for testing code that uses Recloser.
 *
 * <pre>{@code
 * @ExtendWith(RecloserExtension.class)
 * class InventoryTest {
 *   @Test
 *   void is_probed_after_the_wait(FakeTime time, Breakers breakers) {
 *     CircuitBreaker inventory = breakers.create("inventory", c -> c.slidingWindowSize(4));
 *     FlakyCall<String> stock = FlakyCall.returning("7 left", time).fail(4, IOException::new);
 *
 *     for (int i = 0; i < 4; i++) {
 *       assertThatIOException().isThrownBy(() -> inventory.call(stock));
 *     }
 *     assertThat(inventory).isOpen().refusesCalls(RefusalReason.OPEN);
 *
 *     time.advance(Duration.ofSeconds(60));
 *     assertThat(inventory).permitsCalls().isHalfOpen();
 *   }
 * }
 * }</pre>
 *
 * <h2>Time</h2>
 *
 * {@link dev.recloser.test.FakeTime} is clock and timer in one and moves only when told to, so a
 * test neither sleeps nor depends on the speed of a machine. What happens in one advance happens in
 * the same order each time.
 *
 * <h2>Breakers</h2>
 *
 * {@link dev.recloser.test.Breakers} makes them on fake time, in the state a test is about, also
 * from the settings used in production. {@link dev.recloser.test.FlakyCall} is a dependency that
 * fails by a script. {@link dev.recloser.test.RecordingListener} remembers what a breaker tells.
 *
 * <h2>Asserts and the extension</h2>
 *
 * {@link dev.recloser.test.RecloserAssertions} is for AssertJ, {@link
 * dev.recloser.test.RecloserExtension} for JUnit Jupiter; nothing else here needs either. The
 * extension fails a test that leaves a permit out. With another test framework, {@link
 * dev.recloser.test.Breakers#assertNoCallsInFlight()} does so.
 *
 * <p>Parameters and results are not null unless they say so.
 */
@NullMarked
package dev.recloser.test;

import org.jspecify.annotations.NullMarked;
