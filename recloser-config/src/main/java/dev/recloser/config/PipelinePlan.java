package dev.recloser.config;

import dev.recloser.Pipeline;
import dev.recloser.Policy;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A pipeline as it is written.
 *
 * @param key its path, for messages
 * @param policies outermost first
 * @param extras what belongs to it besides
 */
record PipelinePlan(
    String name, String key, Place place, List<PolicyRef<?>> policies, PipelineExtras extras) {

  /**
   * Makes it.
   *
   * @param outermost adds what stands around its policies
   * @param policyOf finds them
   */
  <T extends @Nullable Object> Pipeline<T> make(
      Consumer<? super Pipeline.Builder<T>> outermost, Function<PolicyRef<?>, Policy> policyOf) {
    return Pipeline.create(
        name,
        calls -> {
          outermost.accept(calls);
          extras.addTo(calls);
          policies.forEach(ref -> add(ref, policyOf.apply(ref), calls));
        });
  }

  private static <C> void add(PolicyRef<C> ref, Policy policy, Pipeline.Builder<?> calls) {
    addAs(ref.kind().maker(), policy, calls);
  }

  private static <P extends Policy> void addAs(
      Maker<?, P> maker, Policy policy, Pipeline.Builder<?> calls) {
    maker.add().accept(calls, maker.type().cast(policy));
  }
}
