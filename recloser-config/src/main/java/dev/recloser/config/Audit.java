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
  private static final String FROM_NOW_ON = " (for pipelines fetched from now on)";
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
    audit.compare("", listeners(before.configs()), listeners(after.configs()));
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
      compare(key + ".", shown(before, present), shown(after, policy));
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

  /** Pipelines that were handed out stay as they are, which the lines say. */
  private void lookAtPipelines() {
    int first = changes.size();
    compare(
        Section.PIPELINES + ".",
        pipelines(before.configs().plans()),
        pipelines(after.configs().plans()));
    changes
        .subList(first, changes.size())
        .replaceAll(
            change ->
                new Change(
                    change.key(),
                    change.before(),
                    Objects.requireNonNullElse(change.after(), "nothing") + FROM_NOW_ON));
  }

  private static Map<String, String> listeners(PolicyConfigs configs) {
    List<String> names =
        configs.listeners().stream().map(each -> nameOf(each, configs.objects())).toList();
    return names.isEmpty() ? Map.of() : Map.of(ListenerNames.SECTION, names.toString());
  }

  private static Map<String, String> pipelines(Map<String, PipelinePlan> plans) {
    Map<String, String> shown = new LinkedHashMap<>();
    plans.forEach(
        (name, plan) -> {
          shown.put(name, plan.policies().toString());
          plan.extras().written().forEach((key, value) -> shown.put(name + "." + key, value));
        });
    return shown;
  }

  private static <C> boolean isWritten(LivingPolicies policies, PolicyRef<C> ref) {
    return policies.configs().named(ref.kind()).instances().containsKey(ref.name());
  }

  private static <C> Map<String, String> shown(LivingPolicies policies, LivingPolicy<C, ?> policy) {
    Map<String, String> shown = new LinkedHashMap<>();
    Map<String, Object> settings = policy.maker().settings().apply(policy.config());
    addShown("", settings, policies.configs().objects(), shown);
    return shown;
  }

  private static void addShown(
      String path, Map<String, Object> settings, NamedObjects objects, Map<String, String> shown) {
    settings.forEach(
        (name, value) -> {
          if (value instanceof PolicyConfig part) {
            addShown(path + name + ".", part.settings(), objects, shown);
          } else {
            shown.put(path + name, shown(value, objects));
          }
        });
  }

  private static String shown(Object value, NamedObjects objects) {
    if (value instanceof Duration duration) {
      return Told.time(duration);
    } else if (value instanceof Double number) {
      return Told.number(number);
    }
    return isPlain(value) ? value.toString() : nameOf(value, objects);
  }

  private static boolean isPlain(Object value) {
    return value instanceof Number
        || value instanceof Boolean
        || value instanceof Enum<?>
        || value instanceof String
        || value instanceof Collection<?>;
  }

  /**
   * The name that a file has for a function, an executor or the like; of one that the base makes,
   * perhaps anew for each reading, the class is what counts.
   */
  private static String nameOf(Object object, NamedObjects objects) {
    String name = objects.nameOf(object);
    return name == null ? object.getClass().getName() : name;
  }
}
