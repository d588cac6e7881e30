package dev.recloser.http;

import dev.recloser.Cancellable;
import dev.recloser.Scheduler;
import dev.recloser.test.FakeTime;
import java.time.Duration;

/** Fake time that passes as soon as somebody waits for it. */
record PassingTime(FakeTime time) implements Scheduler {
  @Override
  public Cancellable schedule(Runnable task, Duration delay) {
    Cancellable timer = time.schedule(task, delay);
    time.advance(delay);
    return timer;
  }

  @Override
  public void sleep(Duration delay) throws InterruptedException {
    time.sleep(delay);
  }
}
