package dev.recloser.cli;

/** What inventory is like during a part of a run. */
enum Phase {
  HEALTHY("healthy"),
  SICK("sick"),
  RECOVERED("recovered");

  private final String text;

  Phase(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
