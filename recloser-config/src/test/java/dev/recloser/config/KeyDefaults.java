package dev.recloser.config;

import dev.recloser.BulkheadConfig;
import dev.recloser.PolicyConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What settings are that nobody gives, asked of the policies themselves. */
final class KeyDefaults {
  private final Map<String, Object> values;

  private KeyDefaults(Map<String, Object> values) {
    this.values = values;
  }

  static <B, C> KeyDefaults of(PolicyKind<B, C> kind) {
    Map<String, Object> values = new LinkedHashMap<>();
    if (kind == PolicyKind.HEDGE) { // The one setting that nobody can leave out.
      values.putAll(
          settings(PolicyKind.HEDGE, draft -> draft.set(hedge -> hedge.idempotent(true))));
      values.remove("idempotent");
    } else {
      values.putAll(settings(kind, builder -> {}));
    }
    if (kind == PolicyKind.BULKHEAD) {
      PolicyConfig limit =
          (PolicyConfig)
              BulkheadConfig.of(bulkhead -> bulkhead.adaptiveLimit(adaptive -> {}))
                  .settings()
                  .get("adaptiveLimit");
      limit.settings().forEach((name, value) -> values.put("adaptiveLimit." + name, value));
    }
    return new KeyDefaults(values);
  }

  /** For people; null where there is no default. */
  @Nullable String of(Key.Setting<?, ?> key) {
    String told = key.background().byDefault();
    if (told != null) {
      return told;
    }
    Object value = values.get(key.name());
    return value == null ? null : shown(value);
  }

  private static <B, C> Map<String, Object> settings(PolicyKind<B, C> kind, Consumer<B> some) {
    return kind.maker().settings().apply(kind.make(some));
  }

  private static String shown(Object value) {
    if (value instanceof Duration duration) {
      return shown(duration);
    } else if (value instanceof Double number) {
      return number == Math.rint(number)
          ? String.valueOf(number.longValue())
          : String.valueOf(number);
    }
    return value instanceof Collection<?> list && list.isEmpty() ? "none" : String.valueOf(value);
  }

  /** As it can be written. */
  private static String shown(Duration duration) {
    long millis = duration.toMillis();
    if (duration.isZero()) {
      return "0";
    } else if (millis % 86_400_000 == 0) {
      return millis / 86_400_000 + "d";
    }
    return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
  }
}
