package dev.recloser.config;

import java.util.List;

/** What may stand under a root of a source. */
interface Part {
  /** What its section is called, the usual name first. */
  List<String> names();

  /**
   * Reads its section, of which there may be one under each root.
   *
   * @param root what it stands under
   * @param key of the section, as it was spelled
   * @param path of what is in it, for the messages; empty or with a dot at the end
   */
  void read(Root root, String key, String path, Value value);

  /** Whether nothing of it was found. */
  boolean isEmpty();

  /** Whether this is the spelling of a key that belongs somewhere in it. */
  boolean hasKey(String spelled);
}
