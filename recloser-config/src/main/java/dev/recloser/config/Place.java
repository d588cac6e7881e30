package dev.recloser.config;

/**
 * Where something is written.
 *
 * @param line from 1; 0 when there are no lines
 * @param document which of the file, from 0
 */
record Place(String file, int line, int document) {
  /** In the first document. */
  Place(String file, int line) {
    this(file, line, 0);
  }

  boolean isInDocumentOf(Place other) {
    return file.equals(other.file) && document == other.document;
  }

  @Override
  public String toString() {
    return line == 0 ? file : file + ":" + line;
  }
}
