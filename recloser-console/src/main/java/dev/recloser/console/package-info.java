/**
 * The live panel: what every breaker does now, why, and what happens next, in a browser.
 *
 * <pre>{@code
 * Console console = Console.start(policies); // on loopback, a free port, read-only
 * System.out.println(console.uri());
 * }</pre>
 *
 * <p>{@link dev.recloser.console.Console} brings a server. Who has one uses {@link
 * dev.recloser.console.ConsoleHandler}, which turns a request into an answer and knows of no
 * server. {@link dev.recloser.console.ConsoleSettings} are those of both.
 *
 * <p>While nobody looks nothing is sampled, and the only listener is one for changes of state.
 */
@NullMarked
package dev.recloser.console;

import org.jspecify.annotations.NullMarked;
