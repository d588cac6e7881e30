package dev.recloser;

import dev.recloser.Pace.Moment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Permits that come evenly, and the line of those who wait for them.
 *
 * <p>Nothing is ever filled in. The bucket is one moment: that at which it was empty, or will be.
 * Permits have come since then, at most a burst of them, and taking some moves the moment on by the
 * time that they take to come:
 *
 * <pre>
 *   emptyAt = max(emptyAt, now - time of a burst) + time of the permits
 * </pre>
 *
 * If that is not past now, the permits were there. If it is, it is when they will be, and who can
 * wait that long stands in line with the moment known. This is the generic cell rate algorithm (ITU
 * I.371, virtual scheduling); a bucket that may go negative is another view of it.
 *
 * <p>Two moments are kept: {@code emptyAt} for all that has been taken, {@code lineEndsAt} with all
 * that is waited for. When someone leaves the line, those behind are placed anew from the first
 * moment on, exactly as if the one who left had never come. It is different behind a thread that
 * sleeps, because it cannot be told to go on sooner. What it does not take stays in the bucket
 * meanwhile, but not more than a burst: so nobody behind it gains more than that, and what is made
 * use of never exceeds what a bucket of this size gives.
 *
 * <p>Every method takes a moment or two under the lock, other than those for which somebody leaves
 * from the middle of the line: they take a step for each who waits. No user code runs under it; the
 * time is read before, and so may be a little behind what others have brought, which is put right
 * by going on from the latest.
 */
final class TokenBucket {
  private final Set<Reservation> line = new LinkedHashSet<>();
  private RateLimiterConfig config;
  private Moment emptyAt;
  private Moment lineEndsAt;
  private long latest;

  private long admitted;
  private long refused;
  private long cancelled;
  private long waited;
  private long longestWait;

  TokenBucket(RateLimiterConfig config, long now) {
    this.config = config;
    latest = now;
    emptyAt = config.pace.before(Moment.of(now), config.pace.burst);
    lineEndsAt = emptyAt;
  }

  synchronized RateLimiterConfig config() {
    return config;
  }

  /** What came of asking: how long to wait; a place in line if so; or refused. */
  record Reply(long waitNanos, boolean refused, @Nullable Reservation place) {
    private static final Reply PERMITTED = new Reply(0, false, null);

    boolean admitted() {
      return !refused && place == null;
    }
  }

  /**
   * Takes permits, or a place in line for them.
   *
   * @param patience the longest wait in nanoseconds; more means refused at once
   * @param stage what waits; null for the calling thread
   */
  synchronized Reply ask(int permits, long now, long patience, @Nullable LimitedStage<?> stage) {
    long time = advanceTo(now);
    fillUp(time);
    Moment ready = config.pace.after(lineEndsAt, permits);
    long wait = ready.reached() - time;
    if (wait <= 0) {
      take(permits, ready);
      admitted++;
      return Reply.PERMITTED;
    }
    if (wait > patience) {
      refused++;
      return new Reply(wait, true, null);
    }
    Reservation place = new Reservation(permits, time, time + patience, stage, ready);
    line.add(place);
    lineEndsAt = ready;
    return new Reply(wait, false, place);
  }

  /** How much longer a thread sleeps; zero when it has got its permits, or its place is gone. */
  synchronized long remaining(Reservation place, long now) {
    long time = advanceTo(now);
    if (place.state != Reservation.State.WAITING) {
      return 0;
    }
    long wait = place.ready.reached() - time;
    if (wait <= 0) {
      grant(place, time);
      return 0;
    }
    place.sleepsUntil = place.ready;
    return wait;
  }

  /** How long permits would take that were asked for now, as far as the time is known here. */
  synchronized long untilServed(int permits) {
    fillUp(latest);
    return Math.max(0, config.pace.after(lineEndsAt, permits).reached() - latest);
  }

  /** Whether the limits have changed so that a place in line was lost. */
  synchronized boolean wasRefused(Reservation place) {
    return place.state == Reservation.State.REFUSED;
  }

  /** Leaves the line, or gives back permits that were not made use of. */
  synchronized void giveUp(Reservation place) {
    if (leave(place)) {
      cancelled++;
      place.state = Reservation.State.CANCELLED;
    }
  }

  /** Turns away somebody who cannot wait for what it stands in line for. */
  synchronized void refuse(Reservation place) {
    if (leave(place)) {
      refused(place);
    }
  }

  /** Grants the stages whose turn has come. */
  synchronized List<LimitedStage<?>> takeDue(long now) {
    long time = advanceTo(now);
    List<Reservation> due = new ArrayList<>();
    List<LimitedStage<?>> stages = new ArrayList<>();
    for (Reservation place : line) {
      if (place.ready.reached() - time > 0) {
        break;
      }
      if (place.stage != null) {
        due.add(place);
        stages.add(place.stage);
      }
    }
    due.forEach(place -> grant(place, time));
    return stages;
  }

  /** Takes all stages out of the line, for want of a scheduler. */
  synchronized List<Reservation> refuseStages() {
    List<Reservation> stages = line.stream().filter(place -> place.stage != null).toList();
    stages.forEach(
        place -> {
          line.remove(place);
          refused(place);
        });
    var unused = placeAnew();
    return stages;
  }

  /** The reading at which the next stage has its turn; null without one. */
  synchronized @Nullable Long nextTurn() {
    for (Reservation place : line) {
      if (place.stage != null) {
        return place.ready.reached();
      }
    }
    return null;
  }

  /**
   * Changes the settings, if they are still those expected. The permits that are there or owed stay
   * as they are in number, and take the new time to come; those in line are placed anew.
   *
   * @return who can no longer be served in time; null when nothing was changed
   */
  @SuppressWarnings("ReferenceEquality") // Is it still the one that the new one was made from?
  synchronized @Nullable List<Reservation> change(
      RateLimiterConfig before, RateLimiterConfig after, long now) {
    if (config != before) {
      return null;
    }
    long time = advanceTo(now);
    fillUp(time);
    emptyAt = before.pace.restated(emptyAt, Moment.of(time), after.pace);
    config = after;
    for (Reservation place : line) {
      place.restate(); // Fractions of moments are the old pace's.
    }
    List<Reservation> lost = placeAnew();
    fillUp(time);
    return lost;
  }

  synchronized RateLimiterMetrics metrics(long now) {
    long time = advanceTo(now);
    fillUp(time);
    return new RateLimiterMetrics(
        admitted,
        refused,
        cancelled,
        waited,
        line.size(),
        config.pace.permitsBetween(lineEndsAt, Moment.of(time)),
        Duration.ofNanos(longestWait));
  }

  private long advanceTo(long now) {
    if (now - latest > 0) {
      latest = now;
    }
    return latest;
  }

  /**
   * Lets what no longer goes into the bucket run over. Whose permits have come, but who has not
   * woken up yet, has lost nothing: they were taken out for him on time.
   */
  private void fillUp(long now) {
    Moment earliest = config.pace.before(Moment.of(now), config.pace.burst);
    if (!earliest.isAfter(lineEndsAt)) {
      return;
    }
    emptyAt = earliest;
    for (Reservation place : line) {
      emptyAt = config.pace.before(emptyAt, place.permits);
    }
    var unused = placeAnew();
  }

  /** Takes permits that are there. */
  private void take(int permits, Moment ready) {
    if (line.isEmpty()) {
      emptyAt = ready;
      lineEndsAt = ready;
    } else {
      // Threads sleep although their permits are there, and these are there besides.
      emptyAt = config.pace.after(emptyAt, permits);
      var unused = placeAnew();
    }
  }

  private void grant(Reservation place, long now) {
    boolean first = line.iterator().next() == place;
    Moment taken = config.pace.after(startOf(place, emptyAt), place.permits);
    line.remove(place);
    place.state = Reservation.State.GRANTED;
    admitted++;
    waited++;
    longestWait = Math.max(longestWait, now - place.madeAt);
    if (first) {
      emptyAt = taken;
    } else {
      emptyAt = config.pace.after(emptyAt, place.permits);
      var unused = placeAnew();
    }
  }

  private void refused(Reservation place) {
    refused++;
    place.state = Reservation.State.REFUSED;
  }

  /** False if it is out already. */
  private boolean leave(Reservation place) {
    if (place.state == Reservation.State.WAITING) {
      line.remove(place);
    } else if (place.state == Reservation.State.GRANTED) {
      admitted--;
      emptyAt = config.pace.before(emptyAt, place.permits);
    } else {
      return false;
    }
    var unused = placeAnew();
    fillUp(latest);
    return true;
  }

  /**
   * Computes all moments of the line, and takes out those whom that makes wait too long; only a
   * change of the limits does. Whose permits have come keeps them, whatever the new limits are: his
   * moment stays, and what he owes by the new limits is waited for by those behind him.
   */
  private List<Reservation> placeAnew() {
    List<Reservation> lost = List.of();
    Moment at = emptyAt;
    for (Iterator<Reservation> places = line.iterator(); places.hasNext(); ) {
      Reservation place = places.next();
      Moment ready = config.pace.after(startOf(place, at), place.permits);
      boolean hasCome = place.ready.reached() - latest <= 0;
      if (!hasCome && ready.reached() - place.deadline > 0) {
        places.remove();
        refused(place);
        lost = lost.isEmpty() ? new ArrayList<>() : lost;
        lost.add(place);
      } else {
        place.ready = hasCome ? place.ready : ready;
        at = ready;
      }
    }
    lineEndsAt = at;
    return lost;
  }

  /** A bucket is at most full when a sleeper takes its permits. */
  private Moment startOf(Reservation place, Moment at) {
    return place.sleepsUntil == null
        ? at
        : Moment.later(
            at, config.pace.before(place.sleepsUntil, Math.max(config.pace.burst, place.permits)));
  }
}
