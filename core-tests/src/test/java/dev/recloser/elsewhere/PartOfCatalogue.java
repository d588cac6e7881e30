package dev.recloser.elsewhere;

/** What a public interface inherits from one that is not. */
interface PartOfCatalogue {
  String title();
}
