package dev.recloser.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The files of the page. They are part of this jar, few and small, and so are kept. */
final class Pages {
  private static final Map<String, String> TYPES =
      Map.of(
          "index.html", "text/html; charset=utf-8",
          "console.js", "text/javascript; charset=utf-8",
          "worker.js", "text/javascript; charset=utf-8",
          "console.css", "text/css; charset=utf-8",
          "icon.svg", "image/svg+xml",
          "openapi.json", "application/json");

  private final Map<String, ConsoleAnswer> files = new TreeMap<>();

  Pages() {
    TYPES.forEach(
        (name, type) ->
            files.put(
                name.equals("openapi.json") ? "/api/openapi.json" : "/" + name,
                ConsoleAnswer.of(
                    200,
                    Map.of("Content-Type", type, "Cache-Control", "no-cache"),
                    read("page/" + name))));
  }

  /** Null if there is no such file. */
  @Nullable ConsoleAnswer find(String path) {
    return files.get(path.equals("/") ? "/index.html" : path);
  }

  private static byte[] read(String name) {
    try (InputStream file = Pages.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException(name + " is missing from the jar of recloser-console");
      }
      return file.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
