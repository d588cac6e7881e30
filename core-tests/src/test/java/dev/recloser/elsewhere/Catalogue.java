package dev.recloser.elsewhere;

import java.io.IOException;

/** A public interface with a part that is not public, in a package that is not the breaker's. */
public interface Catalogue extends PartOfCatalogue {
  /** A page of its own. */
  String page(int number) throws IOException;

  /** Returns the only implementation. */
  static Catalogue create() {
    return new PrintedCatalogue();
  }

  /** Returns the only implementation under an interface that is not public. */
  static Object createHidden() {
    return new PrintedCatalogue();
  }

  /** Calls a method of the interface that is not public. */
  static String titleOf(Object hidden) {
    return ((PartOfCatalogue) hidden).title();
  }

  /** Returns an interface that is not public. */
  static Class<?> hiddenType() {
    return PartOfCatalogue.class;
  }
}
