package dev.recloser.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads a file as text, and says what it is instead when it is none. */
final class TextFile {
  private static final int MAX_BYTES = 10_000_000;
  private static final String EXPECTED = "a file of YAML or properties";

  private TextFile() {}

  /**
   * The documents of a file, which is read as properties if its name ends in {@code .properties}
   * and as YAML otherwise.
   *
   * @param expected what it should have, for the messages
   */
  static List<Section> sections(Path path, String expected) {
    String text = read(path);
    String name = path.toString();
    return name.toLowerCase(Locale.ROOT).endsWith(".properties")
        ? PropertiesSource.read(name, text)
        : YamlSource.read(name, text, expected);
  }

  /**
   * The documents of files, each read once.
   *
   * @throws IllegalArgumentException when there is none
   */
  static List<Section> sections(List<Path> paths, String expected) {
    if (paths.isEmpty()) {
      throw new IllegalArgumentException("files: none (expected: at least one)");
    }
    Set<Path> seen = new HashSet<>();
    for (Path path : paths) {
      if (!seen.add(path.toAbsolutePath().normalize())) {
        throw Problems.fatal(new Place(path.toString(), 0), "given twice", "each file once");
      }
    }
    return paths.stream().flatMap(path -> sections(path, expected).stream()).toList();
  }

  private static String read(Path path) {
    Place place = new Place(path.toString(), 0);
    if (Files.isDirectory(path)) {
      throw Problems.fatal(place, "a directory", EXPECTED);
    }
    try {
      byte[] bytes = bytes(path);
      if (bytes.length > MAX_BYTES) {
        throw Problems.fatal(place, "more than 10 MB", EXPECTED);
      }
      return decode(bytes, place.file());
    } catch (NoSuchFileException e) {
      throw Problems.fatal(place, "no such file", EXPECTED);
    } catch (IOException e) {
      throw Problems.fatal(place, "cannot be read: " + e, EXPECTED);
    }
  }

  /** What is in a file; of one that is too large, a little more than may be. */
  static byte[] bytes(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      return in.readNBytes(MAX_BYTES + 1);
    }
  }

  private static String decode(byte[] bytes, String file) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length); // UTF-8 never has fewer bytes than chars.
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    if (decoder.decode(in, out, /* endOfInput= */ true).isError()) {
      String byteShown = "byte 0x%02X".formatted(bytes[in.position()]);
      int line = 1 + (int) out.flip().chars().filter(c -> c == '\n').count();
      throw Problems.fatal(new Place(file, line), byteShown, "UTF-8");
    }
    String text = out.flip().toString();
    return text.startsWith("\uFEFF") ? text.substring(1) : text;
  }
}
