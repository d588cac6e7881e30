package dev.recloser;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A timer of the wheel rings once or is taken back, and the others of its slot stay where they are.
 *
 * <p>In the package of the wheel, which is nobody else's.
 */
public final class TimerWheelEntries {
  private static final long DUE = 5;

  private TimerWheelEntries() {}

  private static TimerWheel oneWheel() {
    return new TimerWheel(/* processors= */ 1);
  }

  private static TimerWheel.Entry entry() {
    return new SystemTime.Task(() -> {});
  }

  private static int takenDue(TimerWheel wheel) {
    return wheel.takeDue(DUE).size();
  }

  /** A timer is taken back when it is due. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "It was taken out to ring.")
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "It was taken back.")
  @Outcome(expect = FORBIDDEN, desc = "It is still there, or has been taken out twice.")
  @State
  public static class TakenBackWhenDue {
    private final TimerWheel wheel = oneWheel();
    private final TimerWheel.Entry entry = entry();

    public TakenBackWhenDue() {
      wheel.add(entry, DUE);
    }

    @Actor
    public void takeBack() {
      TimerWheel.remove(entry);
    }

    @Actor
    public void ring(II_Result r) {
      r.r1 = takenDue(wheel);
    }

    @Arbiter
    public void look(II_Result r) {
      r.r1 += takenDue(wheel);
      r.r2 = wheel.size();
    }
  }

  /** Each of the two looks whether the timer is there, and only then takes it out. */
  @JCStressTest
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "It was taken out to ring.")
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "It was taken back.")
  @Outcome(expect = FORBIDDEN, desc = "It was taken out twice.")
  @State
  public static class WrongTakenBackWhenDue {
    private final AtomicInteger size = new AtomicInteger(1);
    private volatile boolean waits = true;

    @Actor
    public void takeBack() {
      if (waits) {
        waits = false;
        size.getAndDecrement();
      }
    }

    @Actor
    public void ring(II_Result r) {
      if (waits) {
        waits = false;
        size.getAndDecrement();
        r.r1 = 1;
      }
    }

    @Arbiter
    public void look(II_Result r) {
      r.r2 = size.get();
    }
  }

  /** Two neighbours in a slot are taken back, while a third comes between them and another. */
  @JCStressTest
  @Outcome(id = "2, 2, 0", expect = ACCEPTABLE, desc = "The two others are there.")
  @Outcome(expect = FORBIDDEN, desc = "A timer was lost, or was not taken back.")
  @State
  public static class OneSlot {
    private final TimerWheel wheel = oneWheel();
    private final TimerWheel.Entry first = entry();
    private final TimerWheel.Entry second = entry();
    private final TimerWheel.Entry third = entry();

    public OneSlot() {
      wheel.add(entry(), DUE);
      wheel.add(first, DUE);
      wheel.add(second, DUE);
    }

    @Actor
    public void takeBackFirst() {
      TimerWheel.remove(first);
    }

    @Actor
    public void takeBackSecond() {
      TimerWheel.remove(second);
    }

    @Actor
    public void add() {
      wheel.add(third, DUE);
    }

    @Arbiter
    public void look(III_Result r) {
      r.r1 = wheel.size();
      r.r2 = takenDue(wheel);
      r.r3 = wheel.size();
    }
  }

  /** Neighbours that are unlinked from a list without a lock. */
  @JCStressTest
  @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "The other is there.")
  @Outcome(expect = FORBIDDEN, desc = "A timer was lost, or was not taken back.")
  @State
  public static class WrongOneSlot {
    private final Link last = new Link(null);
    private final Link second = new Link(last);
    private final Link first = new Link(second);
    private final Link head = new Link(first);

    @Actor
    public void takeBackFirst() {
      head.next = first.next;
    }

    @Actor
    public void takeBackSecond() {
      first.next = second.next;
    }

    @Arbiter
    public void look(III_Result r) {
      int size = 0;
      for (Link link = head.next; link != null; link = link.next) {
        size++;
      }
      r.r1 = size;
      r.r2 = size;
    }

    private static final class Link {
      private volatile @Nullable Link next;

      Link(@Nullable Link next) {
        this.next = next;
      }
    }
  }

  /** Two timers are added to one slot. */
  @JCStressTest
  @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "Both are there.")
  @Outcome(id = "1, 2", expect = ACCEPTABLE, desc = "One came after the look; both are there.")
  @Outcome(id = "0, 2", expect = ACCEPTABLE, desc = "Both came after the look.")
  @Outcome(expect = FORBIDDEN, desc = "A timer was lost or doubled.")
  @State
  public static class TwoAdded {
    private final TimerWheel wheel = oneWheel();
    private final TimerWheel.Entry first = entry();
    private final TimerWheel.Entry second = entry();

    @Actor
    public void addFirst() {
      wheel.add(first, DUE);
    }

    @Actor
    public void addSecond() {
      wheel.add(second, DUE);
    }

    @Actor
    public void ring(II_Result r) {
      r.r1 = takenDue(wheel);
    }

    @Arbiter
    public void look(II_Result r) {
      r.r2 = r.r1 + takenDue(wheel);
    }
  }
}
