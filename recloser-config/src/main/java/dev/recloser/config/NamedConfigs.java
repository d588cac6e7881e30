package dev.recloser.config;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The configurations of one kind of policy.
 *
 * @param templates by name, in the order in which they were written; unmodifiable
 * @param instances by name, in the order in which they were written; unmodifiable
 * @param bare that of the block without a name, null where there are names
 */
record NamedConfigs<C>(Map<String, C> templates, Map<String, C> instances, @Nullable C bare) {}
