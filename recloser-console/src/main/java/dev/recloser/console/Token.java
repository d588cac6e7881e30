package dev.recloser.console;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;

/** What shows that somebody may control breakers: 256 random bits, sent in a header field. */
final class Token {
  private static final String SCHEME = "Bearer ";
  private static final SecureRandom RANDOM = new SecureRandom();

  private Token() {}

  static String create() {
    byte[] bytes = new byte[32];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** In a time that does not tell how much of it was right. */
  static boolean isIn(ConsoleRequest request, String token) {
    String sent = request.header("Authorization");
    return sent != null
        && sent.regionMatches(/* ignoreCase= */ true, 0, SCHEME, 0, SCHEME.length())
        && MessageDigest.isEqual(
            sent.substring(SCHEME.length()).getBytes(StandardCharsets.UTF_8),
            token.getBytes(StandardCharsets.UTF_8));
  }
}
