package dev.recloser.config;

import dev.recloser.PolicyEvent;
import java.util.List;
import java.util.function.Consumer;

/** Reads who hears of what policies do. */
final class ListenerNames implements Part {
  /** What it is called. */
  static final String SECTION = "listeners";

  private static final Kind<Consumer<? super PolicyEvent>> LISTENER =
      NamedObject.of(Consumer.class);

  private final Reading reading;
  private List<Consumer<? super PolicyEvent>> listeners = List.of();

  ListenerNames(Reading reading) {
    this.reading = reading;
  }

  /** Those of the last list that was read. */
  List<Consumer<? super PolicyEvent>> listeners() {
    return listeners;
  }

  @Override
  public List<String> names() {
    return List.of(SECTION);
  }

  @Override
  public void read(Root root, String section, String path, Value value) {
    listeners = new PipelineObjects(reading).all(LISTENER, section, value);
  }

  /** It is no policy. */
  @Override
  public boolean isEmpty() {
    return true;
  }

  @Override
  public boolean hasKey(String spelled) {
    return false;
  }
}
