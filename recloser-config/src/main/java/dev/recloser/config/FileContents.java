package dev.recloser.config;

import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * What files have in them, to be compared. Not when they were changed: clocks step, and where a
 * link is turned to another folder, as containers do, the new file may be the older one.
 *
 * @param digests one for each file; why it could not be read, where it could not
 */
record FileContents(List<String> digests) {
  static FileContents of(List<Path> files) {
    return new FileContents(files.stream().map(FileContents::digest).toList());
  }

  private static String digest(Path file) {
    try {
      return HexFormat.of().formatHex(sha256().digest(TextFile.bytes(file)));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // Every Java platform has it.
    }
  }
}
