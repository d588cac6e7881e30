package dev.recloser.config;

import dev.recloser.config.InvalidConfigurationFileException.Problem;
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
import org.jspecify.annotations.Nullable;

/**
 * A file as it was when it was read, once: as text, or what it is instead. Two are equal if the
 * same comes of them. When a file was changed is not asked: clocks step, and where a link is turned
 * to another folder, as containers do, the new file may be the older one.
 *
 * @param text empty if it is none
 * @param problem why it is none; null if it is
 */
record TextFile(Path path, String text, @Nullable Problem problem) {
  private static final int MAX_BYTES = 10_000_000;
  private static final String EXPECTED = "a file of YAML or properties";

  /** Reads a file. */
  static TextFile read(Path path) {
    if (Files.isDirectory(path)) {
      return none(path, "a directory");
    }
    try (InputStream in = Files.newInputStream(path)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      return bytes.length > MAX_BYTES ? none(path, "more than 10 MB") : decoded(path, bytes);
    } catch (NoSuchFileException e) {
      return none(path, "no such file");
    } catch (IOException e) {
      return none(path, "cannot be read: " + e);
    }
  }

  /** Reads files. */
  static List<TextFile> readAll(List<Path> paths) {
    return paths.stream().map(TextFile::read).toList();
  }

  /** Where files are, however they were named. */
  static List<Path> locations(List<Path> paths) {
    return paths.stream().map(path -> path.toAbsolutePath().normalize()).toList();
  }

  /**
   * The documents of files, each given once.
   *
   * @param expected what they should have, for the messages
   * @throws IllegalArgumentException when there is none
   */
  static List<Section> sections(List<TextFile> files, String expected) {
    if (files.isEmpty()) {
      throw new IllegalArgumentException("files: none (expected: at least one)");
    }
    Set<Path> seen = new HashSet<>();
    for (TextFile file : files) {
      if (!seen.add(file.path.toAbsolutePath().normalize())) {
        throw Problems.fatal(new Place(file.name(), 0), "given twice", "each file once");
      }
    }
    return files.stream().flatMap(file -> file.sections(expected).stream()).toList();
  }

  /**
   * Its documents: properties if its name ends in {@code .properties}, and YAML otherwise.
   *
   * @param expected what it should have, for the messages
   */
  List<Section> sections(String expected) {
    if (problem != null) {
      throw new InvalidConfigurationFileException(List.of(problem));
    }
    return name().toLowerCase(Locale.ROOT).endsWith(".properties")
        ? PropertiesSource.read(name(), text)
        : YamlSource.read(name(), text, expected);
  }

  private String name() {
    return path.toString();
  }

  private static TextFile none(Path path, String found) {
    return none(path, 0, found, EXPECTED);
  }

  private static TextFile none(Path path, int line, String found, String expected) {
    return new TextFile(path, "", new Problem(path.toString(), line, null, found, expected));
  }

  private static TextFile decoded(Path path, byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length); // UTF-8 never has fewer bytes than chars.
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    if (decoder.decode(in, out, /* endOfInput= */ true).isError()) {
      String byteShown = "byte 0x%02X".formatted(bytes[in.position()]);
      int line = 1 + (int) out.flip().chars().filter(c -> c == '\n').count();
      return none(path, line, byteShown, "UTF-8");
    }
    String text = out.flip().toString();
    return new TextFile(path, text.startsWith("\uFEFF") ? text.substring(1) : text, null);
  }
}
