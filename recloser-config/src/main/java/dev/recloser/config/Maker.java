package dev.recloser.config;

import dev.recloser.Pipeline;
import dev.recloser.Policy;
import dev.recloser.PolicyConfig;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * Makes policies of one kind and changes them.
 *
 * @param create makes one of a name
 * @param reconfigure gives a living one other settings
 * @param add adds one to a pipeline
 * @param settings what is set, by the names that files have for it
 * @param adopt what a living policy changes to, of what it has and what it shall have
 * @param <C> what they are made of
 * @param <P> the policies
 */
record Maker<C, P extends Policy>(
    Class<P> type,
    BiFunction<String, C, P> create,
    BiConsumer<P, C> reconfigure,
    BiConsumer<Pipeline.Builder<?>, P> add,
    Function<C, Map<String, Object>> settings,
    BinaryOperator<C> adopt) {

  static <C extends PolicyConfig, P extends Policy> Maker<C, P> of(
      Class<P> type,
      BiFunction<String, C, P> create,
      BiConsumer<P, C> reconfigure,
      BiConsumer<Pipeline.Builder<?>, P> add) {
    return new Maker<>(
        type, create, reconfigure, add, PolicyConfig::settings, (before, after) -> after);
  }
}
