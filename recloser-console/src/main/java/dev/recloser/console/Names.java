package dev.recloser.console;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Names in paths. */
final class Names {
  private Names() {}

  /** What a percent-encoded segment stands for; not as in forms, where a plus is a space. */
  static String decode(String segment) {
    ByteBuffer bytes = ByteBuffer.allocate(4 * segment.length());
    try {
      for (int i = 0; i < segment.length(); i++) {
        char c = segment.charAt(i);
        if (c == '%') {
          bytes.put((byte) HexFormat.fromHexDigits(segment, i + 1, i + 3));
          i += 2;
        } else {
          bytes.put(StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(new char[] {c})));
        }
      }
      return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
    } catch (CharacterCodingException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw Problem.badRequest(
          "path: " + Text.quoted(segment) + " (expected: a name, percent-encoded in UTF-8)");
    }
  }
}
