package dev.recloser.config;

import dev.recloser.Fallback;
import dev.recloser.Pipeline;
import dev.recloser.spi.CallContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What belongs to a pipeline besides its policies.
 *
 * @param written what is written of it, by key
 * @param warningsAreErrors whether it must not be what {@link Pipeline#warnings} warns of
 * @param fallback what is around its policies; null for nothing
 * @param contexts what its calls carry to other threads
 */
record PipelineExtras(
    Map<String, String> written,
    boolean warningsAreErrors,
    @Nullable Fallback<?> fallback,
    List<CallContext> contexts) {

  static final PipelineExtras NONE =
      new PipelineExtras(Map.of(), /* warningsAreErrors= */ false, /* fallback= */ null, List.of());

  <T extends @Nullable Object> void addTo(Pipeline.Builder<T> calls) {
    contexts.forEach(calls::context);
    if (fallback != null) {
      calls.fallback(PipelineExtras.<T>unchecked(fallback));
    }
  }

  /** What it answers with is known when it does; who asked for something else is told then. */
  @SuppressWarnings("unchecked")
  private static <T extends @Nullable Object> Fallback<T> unchecked(Fallback<?> fallback) {
    return (Fallback<T>) fallback;
  }
}
