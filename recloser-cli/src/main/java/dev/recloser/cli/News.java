package dev.recloser.cli;

import java.util.List;

/**
 * Something that has happened in a run.
 *
 * @param headline when and what
 * @param explanation why, in lines that fit the screen
 */
record News(String headline, List<String> explanation) {}
