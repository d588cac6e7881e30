package dev.recloser.console;

import java.net.URI;
import java.util.Collection;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * An instance at one moment. Immutable.
 *
 * @param cells its breakers by name, as it told them last
 * @param asOf the reading at which they were so; means nothing if nothing was ever told
 */
record FleetColumn(Head head, SortedMap<String, FleetCell> cells, long asOf) {
  /**
   * All but its breakers and the time that passes.
   *
   * @param uri where its panel is
   * @param live whether what is known of it is as of now
   * @param problem what is wrong with it, in words; null for nothing
   * @param instance another one after a restart; null if nothing was ever told
   */
  record Head(
      String name, URI uri, boolean live, @Nullable String problem, @Nullable String instance) {}

  String name() {
    return head.name();
  }

  /** The same, not to be counted. */
  FleetColumn doubled(String first) {
    String problem = "is the same process as " + first + ", and not counted again";
    return new FleetColumn(
        new Head(head.name, head.uri, /* live= */ false, problem, head.instance), cells, asOf);
  }

  void writeTo(
      JsonGenerator json, long now, Collection<FleetCell> changed, Collection<String> gone) {
    json.writeStringProperty("name", head.name);
    json.writeStringProperty("uri", head.uri.toString());
    json.writeBooleanProperty("live", head.live);
    Json.text(json, "problem", head.problem);
    Json.text(json, "instance", head.instance);
    Json.millis(json, "ageMillis", head.instance == null ? null : Json.nanos(now - asOf));
    Json.array(json, "breakers", changed, cell -> cell.writeTo(json, asOf));
    Json.texts(json, "gone", gone);
  }
}
