package dev.recloser.config;

import dev.recloser.PolicyConfig;
import dev.recloser.config.ConfigurationReload.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Finds which keys have other values than before. */
final class Audit {
  private static final String POLICY = "a policy";
  private static final String NOT_WRITTEN = "no longer written, it stays as it is";

  private final LivingPolicies before;
  private final LivingPolicies after;
  private final List<Change> changes = new ArrayList<>();

  private Audit(LivingPolicies before, LivingPolicies after) {
    this.before = before;
    this.after = after;
  }

  /** The changes, by kind and name. */
  static List<Change> changes(LivingPolicies before, LivingPolicies after) {
    Audit audit = new Audit(before, after);
    after.policies().values().forEach(audit::look);
    audit.lookAtPipelines();
    return List.copyOf(audit.changes);
  }

  private <C> void look(LivingPolicy<C, ?> policy) {
    PolicyRef<C> ref = policy.ref();
    String key = ref.kind() + ".instances." + ref.name();
    LivingPolicy<?, ?> present = before.policies().get(ref);
    if (present == null) {
      changes.add(new Change(key, null, POLICY));
    } else if (isWritten(before, ref) && !isWritten(after, ref)) {
      changes.add(new Change(key, POLICY, NOT_WRITTEN));
    } else {
      compare(key + ".", shown(present), shown(policy));
    }
  }

  private void compare(String path, Map<String, String> old, Map<String, String> present) {
    Set<String> names = new LinkedHashSet<>(old.keySet());
    names.addAll(present.keySet());
    for (String name : names) {
      if (!Objects.equals(old.get(name), present.get(name))) {
        changes.add(new Change(path + name, old.get(name), present.get(name)));
      }
    }
  }

  private void lookAtPipelines() {
    compare(
        Section.PIPELINES + ".",
        pipelines(before.configs().plans()),
        pipelines(after.configs().plans()));
  }

  private static Map<String, String> pipelines(Map<String, PipelinePlan> plans) {
    Map<String, String> shown = new LinkedHashMap<>();
    plans.forEach((name, plan) -> shown.put(name, plan.policies().toString()));
    return shown;
  }

  private static <C> boolean isWritten(LivingPolicies policies, PolicyRef<C> ref) {
    return policies.configs().named(ref.kind()).instances().containsKey(ref.name());
  }

  private static <C> Map<String, String> shown(LivingPolicy<C, ?> policy) {
    Map<String, String> shown = new LinkedHashMap<>();
    addShown("", policy.maker().settings().apply(policy.config()), shown);
    return shown;
  }

  private static void addShown(
      String path, Map<String, Object> settings, Map<String, String> shown) {
    settings.forEach(
        (name, value) -> {
          if (value instanceof PolicyConfig part) {
            addShown(path + name + ".", part.settings(), shown);
          } else {
            shown.put(path + name, shown(value));
          }
        });
  }

  /**
   * Of functions, executors and other objects the class is what counts: those that a file names or
   * the base makes may be made anew for each reading.
   */
  private static String shown(Object value) {
    if (value instanceof Duration duration) {
      return Told.time(duration);
    } else if (value instanceof Double number) {
      return Told.number(number);
    }
    return isPlain(value) ? value.toString() : value.getClass().getName();
  }

  private static boolean isPlain(Object value) {
    return value instanceof Number
        || value instanceof Boolean
        || value instanceof Enum<?>
        || value instanceof String
        || value instanceof Collection<?>;
  }
}
