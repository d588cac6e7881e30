package dev.recloser.config;

/**
 * Where something is written.
 *
 * @param line from 1; 0 when there are no lines
 */
record Place(String file, int line) {
  boolean isInFileOf(Place other) {
    return file.equals(other.file);
  }

  @Override
  public String toString() {
    return line == 0 ? file : file + ":" + line;
  }
}
