package dev.recloser.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Names calls by a user's key, and stands in where it fails. */
final class Names {
  private static final System.Logger LOGGER = System.getLogger("dev.recloser");

  private final HttpKey key;
  private final Set<String> logged = ConcurrentHashMap.newKeySet();

  Names(HttpKey key) {
    this.key = key;
  }

  /** The name of a call; never throws. */
  String of(HttpCall call) {
    String name = null;
    try {
      name = key.of(call);
    } catch (Throwable e) {
      log("The key of HTTP calls threw; calls that it does not name are named by origin", e);
    }
    return name == null || name.isBlank() ? unnamed(call) : name;
  }

  /** Logs each thing once: what fails for one call fails for many. */
  void log(String what, @Nullable Throwable thrown) {
    if (logged.add(what)) {
      LOGGER.log(System.Logger.Level.WARNING, what + " (told once)", thrown);
    }
  }

  private String unnamed(HttpCall call) {
    log("The key of HTTP calls gave a blank name, or none; the origin stands in", null);
    return call.origin();
  }
}
