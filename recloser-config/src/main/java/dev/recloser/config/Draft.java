package dev.recloser.config;

import dev.recloser.config.Key.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * What a file says about a policy, of which a part only goes to the builder of its configuration.
 *
 * @param <B> the builder
 */
abstract class Draft<B> {
  private final List<Consumer<? super B>> settings = new ArrayList<>();

  /** A key that sets something on the builder. */
  static <B, D extends Draft<B>, T> Setting<D, T> setting(
      String name, Kind<T> kind, BiConsumer<B, T> setter, String description) {
    return Setting.of(
        name,
        kind,
        (draft, value) -> draft.set(builder -> setter.accept(builder, value)),
        description);
  }

  final void set(Consumer<? super B> setting) {
    settings.add(setting);
  }

  /** Sets on the builder what was said, in the order in which it was. */
  void applyTo(B builder) {
    settings.forEach(setting -> setting.accept(builder));
  }
}
