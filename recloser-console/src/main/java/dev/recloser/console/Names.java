package dev.recloser.console;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * Names in addresses. A breaker may have any name, and a path cannot have any in it: browsers take
 * {@code %2E%2E} for a step up, and servers refuse a {@code %2F} or a control character. A query
 * can.
 */
final class Names {
  private static final String PARAMETER = "name=";

  private Names() {}

  /** What a percent-encoded segment of a path stands for, in which a plus is a plus. */
  static String ofSegment(String segment) {
    return decode(segment, "path");
  }

  /** The name in a query, encoded as in forms, where a plus is a space. */
  static String ofQuery(String query) {
    List<String> names =
        Stream.of(query.split("&", -1)).filter(each -> each.startsWith(PARAMETER)).toList();
    if (names.isEmpty()) {
      throw Problem.badRequest(
          "name: missing (expected: ?name=NAME, which a server has to pass on)");
    }
    if (names.size() > 1) {
      throw Problem.badRequest("name: there " + names.size() + " times (expected: once)");
    }
    return decode(names.get(0).substring(PARAMETER.length()).replace('+', ' '), "name");
  }

  private static String decode(String encoded, String what) {
    try {
      return textOf(bytesOf(encoded.getBytes(StandardCharsets.UTF_8)));
    } catch (CharacterCodingException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw Problem.badRequest(
          what + ": " + Text.quoted(encoded) + " (expected: a name, percent-encoded in UTF-8)");
    }
  }

  private static byte[] bytesOf(byte[] encoded) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(encoded.length);
    for (int i = 0; i < encoded.length; i++) {
      if (encoded[i] == '%') {
        int high = HexFormat.fromHexDigit(encoded[i + 1]);
        bytes.write((high << 4) | HexFormat.fromHexDigit(encoded[i + 2]));
        i += 2;
      } else {
        bytes.write(encoded[i]);
      }
    }
    return bytes.toByteArray();
  }

  /**
   * UTF-8, in which half a surrogate pair may stand as the three bytes that it would have. Nobody
   * else writes it so, but a name in Java or JavaScript can have one, and no other encoding.
   */
  private static String textOf(byte[] bytes) throws CharacterCodingException {
    StringBuilder text = new StringBuilder();
    int from = 0;
    for (int i = 0; i + 2 < bytes.length; i++) {
      if (isSurrogate(bytes, i)) {
        text.append(utf8(bytes, from, i));
        text.append((char) (0xD000 | ((bytes[i + 1] & 0x3F) << 6) | (bytes[i + 2] & 0x3F)));
        from = i + 3;
        i += 2;
      }
    }
    return text.append(utf8(bytes, from, bytes.length)).toString();
  }

  private static boolean isSurrogate(byte[] bytes, int at) {
    return bytes[at] == (byte) 0xED
        && (bytes[at + 1] & 0xE0) == 0xA0
        && (bytes[at + 2] & 0xC0) == 0x80;
  }

  private static CharSequence utf8(byte[] bytes, int from, int to) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, to - from));
  }
}
