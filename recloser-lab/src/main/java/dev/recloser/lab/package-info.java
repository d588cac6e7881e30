/**
 * Replay: recorded calls through a real breaker, in no time.
 *
 * <pre>{@code
 * try (Trace trace = Trace.csv(Path.of("calls.csv"));
 *     Writer out = Files.newBufferedWriter(Path.of("report.txt"))) {
 *   ReplaySummary summary = Replay.run(config, trace, ReplayListener.text(out, false));
 * }
 * }</pre>
 *
 * <p>A {@link dev.recloser.lab.Trace} hands out calls one by one, {@link dev.recloser.lab.Replay}
 * sends them through a breaker on simulated time, and a {@link dev.recloser.lab.ReplayListener}
 * hears what happens. Nothing here is kept for longer than its call is in flight, or two minutes of
 * a log, so a trace may be of any length.
 *
 * <p>A {@link dev.recloser.lab.TraceSource} makes a trace of what people have, the logs of servers
 * among it, and {@link dev.recloser.lab.Replay#runByKey} gives each dependency in it a breaker of
 * its own.
 *
 * <p>Parameters and results are not null unless they say so. Nothing here is thread-safe; two
 * replays at once share nothing.
 */
@NullMarked
package dev.recloser.lab;

import org.jspecify.annotations.NullMarked;
