package dev.recloser.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads which policies a pipeline has: {@code retry}, or {@code circuitbreaker: inventory}. */
final class PolicyRefs {
  /** Stands for the policies that are right for most, in the order that is. */
  private static final String DEFAULT = "default";

  static final String EXPECTED =
      "default, or a list of policies such as [retry, circuitbreaker: inventory], outermost first";

  /** Kinds that are by default in a pipeline only if one of its name is written. */
  private static final Set<PolicyKind<?, ?>> ONLY_WRITTEN =
      Set.of(PolicyKind.HEDGE, PolicyKind.RATE_LIMITER, PolicyKind.THREAD_POOL_BULKHEAD);

  private final List<Blocks<?, ?>> kinds;
  private final Reading reading;
  private final Problems problems;

  /**
   * Creates one.
   *
   * @param kinds what may be named, in the order that is right for most
   */
  PolicyRefs(List<Blocks<?, ?>> kinds, Reading reading) {
    this.kinds = kinds;
    this.reading = reading;
    problems = reading.problems();
  }

  /** The policies, outermost first; null if something is wrong, which is reported then or was. */
  @Nullable List<PolicyRef<?>> read(String pipeline, String key, Value value) {
    if (value.isUnresolved()) {
      return null;
    }
    return isDefault(value) ? inDefaultOrder(pipeline) : listed(pipeline, key, value);
  }

  private static boolean isDefault(Value value) {
    return value instanceof Value.Scalar scalar
        && scalar.text() != null
        && KeyPath.canonical(scalar.text().strip()).equals(DEFAULT);
  }

  /** Only the file can know a limit, and whether calls may be made twice. */
  private List<PolicyRef<?>> inDefaultOrder(String pipeline) {
    List<PolicyRef<?>> refs = new ArrayList<>();
    for (Blocks<?, ?> each : kinds) {
      if (isByDefault(each.kind(), pipeline)) {
        refs.add(new PolicyRef<>(each.kind(), pipeline));
      }
    }
    return refs;
  }

  /** A bulkhead of threads that is written stands for the other one, unless that is, too. */
  private boolean isByDefault(PolicyKind<?, ?> kind, String pipeline) {
    boolean isReplaced =
        kind == PolicyKind.BULKHEAD && isWritten(PolicyKind.THREAD_POOL_BULKHEAD, pipeline);
    return isWritten(kind, pipeline) || (!ONLY_WRITTEN.contains(kind) && !isReplaced);
  }

  private boolean isWritten(PolicyKind<?, ?> kind, String name) {
    return kinds.stream().anyMatch(each -> each.kind() == kind && each.instances().contains(name));
  }

  private @Nullable List<PolicyRef<?>> listed(String pipeline, String key, Value value) {
    List<Value> items = Lists.items(key, value, problems);
    if (items == null) {
      return null;
    }
    if (items.isEmpty()) {
      problems.add(value.place(), key, value.shown(), EXPECTED);
      return null;
    }
    List<PolicyRef<?>> refs = new ArrayList<>();
    for (int i = 0; i < items.size(); i++) {
      String itsKey = key + "[" + i + "]";
      boolean isAlone = value instanceof Value.Scalar && items.size() == 1;
      PolicyRef<?> ref = item(pipeline, itsKey, items.get(i), isAlone);
      if (ref != null && refs.contains(ref)) {
        problems.add(items.get(i).place(), itsKey, ref.toString(), "each policy once");
      } else if (ref != null) {
        refs.add(ref);
      }
    }
    return refs.size() == items.size() ? refs : null;
  }

  /**
   * Reads one.
   *
   * @param isAlone whether it may have been meant for the default
   */
  private @Nullable PolicyRef<?> item(String pipeline, String key, Value item, boolean isAlone) {
    if (item instanceof Section section && section.entries().size() == 1) {
      Map.Entry<String, Value> only =
          section.open(key + ".", problems).entrySet().iterator().next();
      String name = Kind.NAME.read(key + "." + only.getKey(), only.getValue(), reading);
      return name == null ? null : named(key, item, only.getKey(), name);
    }
    String text = item instanceof Value.Scalar scalar ? scalar.text() : null;
    if (text == null || text.isBlank()) {
      problems.add(item.place(), key, item.shown(), "a kind of policy, or a kind: name");
      return null;
    }
    String[] parts = text.split(":", 2);
    return parts.length == 1
        ? ofPipeline(key, item, text.strip(), pipeline, isAlone)
        : named(key, item, parts[0].strip(), parts[1].strip());
  }

  private @Nullable PolicyRef<?> ofPipeline(
      String key, Value item, String kindName, String pipeline, boolean isAlone) {
    Blocks<?, ?> blocks = find(key, item, kindName, isAlone);
    return blocks == null ? null : new PolicyRef<>(blocks.kind(), pipeline);
  }

  private @Nullable PolicyRef<?> named(String key, Value item, String kindName, String name) {
    Blocks<?, ?> blocks = find(key, item, kindName, /* isAlone= */ false);
    if (blocks == null) {
      return null;
    }
    if (!blocks.instances().contains(name)) {
      problems.add(item.place(), key, kindName + ": " + name, inPlaceOfName(blocks, name));
      return null;
    }
    return new PolicyRef<>(blocks.kind(), name);
  }

  private @Nullable Blocks<?, ?> find(String key, Value item, String kindName, boolean isAlone) {
    for (Blocks<?, ?> each : kinds) {
      if (each.kind().isCalled(kindName)) {
        return each;
      }
    }
    problems.add(item.place(), key, kindName, inPlaceOfKind(kindName, isAlone));
    return null;
  }

  private String inPlaceOfKind(String spelled, boolean isAlone) {
    if (KeyPath.canonical(spelled).equals("fallback")) {
      return "a kind of policy; a fallback stands beside policies, as fallback: NAME";
    }
    List<String> names = new ArrayList<>(kinds.stream().map(each -> each.kind().name()).toList());
    if (isAlone) {
      names.add(DEFAULT);
    }
    return "a kind of policy"
        + (isAlone ? ", or " + DEFAULT : "")
        + "; the nearest is "
        + Spelling.nearest(spelled, names);
  }

  private static String inPlaceOfName(Blocks<?, ?> blocks, String name) {
    String where = "a name that is under " + blocks.kind() + ".instances";
    return blocks.instances().isEmpty()
        ? where + ", where there is none"
        : where + "; the nearest is " + Spelling.nearest(name, blocks.instances());
  }
}
