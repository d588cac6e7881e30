package dev.recloser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordingFile;

/** What the JDK's flight recorder says of virtual threads that blocked and kept their carrier. */
final class PinnedThreads {
  private static final String EVENT = "jdk.VirtualThreadPinned";

  private PinnedThreads() {}

  /**
   * Those with this library on their stack while something is done; none where none are virtual.
   */
  static List<String> during(Callable<?> action) throws Exception {
    try (Recording recording = new Recording()) {
      recording.enable(EVENT).withoutThreshold().withStackTrace();
      recording.start();
      var unused = action.call();
      recording.stop();
      return read(recording);
    }
  }

  private static List<String> read(Recording recording) throws IOException {
    Path file = Files.createTempFile("pinned", ".jfr");
    try {
      recording.dump(file);
      return RecordingFile.readAllEvents(file).stream()
          .filter(PinnedThreads::isOurs)
          .filter(event -> !isOfTheInterruptLock(event))
          .map(RecordedEvent::toString)
          .toList();
    } finally {
      Files.delete(file);
    }
  }

  /**
   * The JDK guards the interrupt flag of a virtual thread with a lock of its own, which whoever
   * looks at the flag may have to wait for while somebody interrupts: for an instant, whatever runs
   * on the thread.
   */
  private static boolean isOfTheInterruptLock(RecordedEvent event) {
    RecordedMethod top = event.getStackTrace().getFrames().get(0).getMethod();
    return top.getType().getName().equals("java.lang.VirtualThread")
        && top.getName().toLowerCase(Locale.ROOT).contains("interrupt")
        && event.hasField("blockingOperation")
        && "Contended monitor enter".equals(event.getString("blockingOperation"));
  }

  private static boolean isOurs(RecordedEvent event) {
    return event.getStackTrace() != null
        && event.getStackTrace().getFrames().stream()
            .anyMatch(frame -> frame.getMethod().getType().getName().startsWith("dev.recloser."));
  }
}
