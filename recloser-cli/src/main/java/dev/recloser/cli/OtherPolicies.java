package dev.recloser.cli;

import dev.recloser.config.InvalidConfigurationFileException;
import dev.recloser.config.PolicyConfigs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What a configuration has that a replay leaves out. */
final class OtherPolicies {
  private OtherPolicies() {}

  /** Names the kinds; nothing of a file that has breakers only. */
  static Optional<String> remark(Path file) {
    List<String> kinds = kinds(file);
    return kinds.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s: only circuit breakers are replayed, each recorded call being one call of theirs;"
                    .formatted(file)
                + " left out: "
                + String.join(", ", kinds));
  }

  private static List<String> kinds(Path file) {
    List<String> kinds = new ArrayList<>();
    try {
      PolicyConfigs configs = PolicyConfigs.loadWithoutClasses(file, base -> {});
      addIf(configs.retries().keySet(), "retry", kinds);
      addIf(configs.hedges().keySet(), "hedge", kinds);
      addIf(configs.rateLimiters().keySet(), "ratelimiter", kinds);
      addIf(configs.bulkheads().keySet(), "bulkhead", kinds);
      addIf(configs.timeouts().keySet(), "timelimiter", kinds);
      addIf(configs.threadPoolBulkheads().keySet(), "thread-pool-bulkhead", kinds);
      addIf(configs.pipelines(), "pipelines", kinds);
    } catch (InvalidConfigurationFileException e) {
      // It is the settings of one breaker; or what is wrong concerns other policies, and is theirs.
    }
    return kinds;
  }

  private static void addIf(Collection<String> names, String kind, List<String> kinds) {
    if (!names.isEmpty()) {
      kinds.add(kind);
    }
  }
}
