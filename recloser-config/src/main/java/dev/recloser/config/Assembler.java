package dev.recloser.config;

import dev.recloser.InvalidConfigurationException;
import dev.recloser.InvalidConfigurationException.Fault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes configurations of one kind of policy, of blocks and of what they inherit.
 *
 * <p>What the configuration finds wrong with the settings is led back to the line that gives the
 * setting, or to the block where it is inherited, with the line it is inherited from. A fault that
 * may only be the consequence of another one is not told.
 *
 * @param <B> what the settings are made on
 * @param <C> what is made of them
 */
final class Assembler<B, C> {
  static final String DEFAULT = "default";

  private final PolicyKind<B, C> kind;
  private final Map<String, Block<B>> templates;
  private final Consumer<? super B> base;
  private final Problems problems;
  private final Set<Block<B>> endless = new HashSet<>();
  private final Map<Block<B>, Assembly<B, C>> assemblies = new HashMap<>();

  Assembler(
      PolicyKind<B, C> kind,
      Map<String, Block<B>> templates,
      Consumer<? super B> base,
      Problems problems) {
    this.kind = kind;
    this.templates = templates;
    this.base = base;
    this.problems = problems;
    templates.values().forEach(this::findCycle);
  }

  /** A block that starts from the template it names. */
  Assembly<B, C> template(Block<B> block) {
    return assembly(block);
  }

  /**
   * A block that starts from the template it names, else from that of its own name, else from the
   * default template.
   */
  Assembly<B, C> instance(Block<B> block) {
    Block<B> own = templates.getOrDefault(block.name(), templates.get(DEFAULT));
    boolean namesOne = block.baseConfig() != null || block.unread().contains(Keys.BASE_CONFIG);
    return own == null || namesOne ? assembly(block) : assemble(block, assembly(own));
  }

  private Assembly<B, C> assembly(Block<B> block) {
    Assembly<B, C> present = assemblies.get(block);
    if (present == null) {
      present = assemble(block, inheritedBy(block));
      assemblies.put(block, present);
    }
    return present;
  }

  private Assembly<B, C> inheritedBy(Block<B> block) {
    String name = block.baseConfig();
    if (name == null || endless.contains(block)) {
      return Assembly.nothing(
          kind.keys(), endless.contains(block) || block.unread().contains(Keys.BASE_CONFIG));
    }
    Block<B> template = templates.get(name);
    if (template != null) {
      return assembly(template);
    }
    reportBase(
        block,
        templates.isEmpty()
            ? "a name that is under configs, where there is none"
            : "a name that is under configs; the nearest is "
                + Spelling.nearest(name, List.copyOf(templates.keySet())));
    return Assembly.nothing(kind.keys(), /* incomplete= */ true);
  }

  private Assembly<B, C> assemble(Block<B> block, Assembly<B, C> inherited) {
    Assembly<B, C> assembly = inherited.and(block);
    try {
      return assembly.with(
          kind.make(
              builder -> {
                base.accept(builder);
                assembly.applyTo(builder);
              }));
    } catch (InvalidConfigurationException e) {
      e.faults().forEach(fault -> assembly.faulty().add(fault.setting()));
      e.faults().stream()
          .filter(fault -> isNews(fault.setting(), block, inherited, assembly))
          .forEach(fault -> report(block, fault, assembly.given().get(fault.setting())));
      return assembly;
    }
  }

  /** Whether a fault is neither the consequence of another nor told with a template already. */
  private boolean isNews(
      String setting, Block<B> block, Assembly<B, C> inherited, Assembly<B, C> assembly) {
    if (!assembly.canJudge(setting)) {
      return false;
    }
    if (block.gives(setting)) {
      return true;
    }
    return !inherited.faulty().contains(setting)
        && kind.keys().contextOf(setting).stream().noneMatch(assembly.faulty()::contains);
  }

  /** Reports the template that a block names. */
  private void reportBase(Block<B> block, String expected) {
    Given<B, ?> given =
        Objects.requireNonNull(block.given().get(Keys.BASE_CONFIG), Keys.BASE_CONFIG);
    problems.add(given, expected);
  }

  /** Reports at the line that gives the setting, else at the block. */
  private void report(Block<B> block, Fault fault, @Nullable Given<B, ?> given) {
    if (given == null) { // Neither the block nor a template gives it, so it is from the base.
      String key = block.path() + fault.setting();
      problems.add(block.place(), key, fault.value(), fault.expected());
    } else if (block.gives(fault.setting())) {
      problems.add(given, fault.expected());
    } else {
      problems.addInherited(block, given, fault.expected());
    }
  }

  /** Follows the templates from this one on; reports the cycle it is in, if it is not known yet. */
  private void findCycle(Block<B> start) {
    List<Block<B>> chain = new ArrayList<>();
    Block<B> block = start;
    while (block != null && !chain.contains(block)) {
      chain.add(block);
      String name = block.baseConfig();
      block = name == null ? null : templates.get(name);
    }
    if (block == start && endless.addAll(chain)) {
      String names = chain.stream().map(each -> each.name() + " -> ").collect(Collectors.joining());
      String expected = "a chain of templates that ends; this one is " + names + start.name();
      reportBase(start, expected);
    }
  }
}
