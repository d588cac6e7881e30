package dev.recloser.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON Schema of a configuration file, made of the same descriptions that files are read by. It
 * promises a little less than is read: keys in camel case and kebab case, numbers without quotes.
 */
final class SchemaDocument {
  private static final String REFERENCE = "$ref";

  private static final Map<String, Object> PLACEHOLDER =
      ordered("type", "string", "pattern", "[$][{].+[}]");

  private final Map<String, Object> definitions = new LinkedHashMap<>();

  private SchemaDocument() {}

  static String json() {
    return JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .build()
            .writeValueAsString(new SchemaDocument().root())
            .replace("\r\n", "\n")
        + "\n";
  }

  private Map<String, Object> root() {
    definitions.put("placeholder", PLACEHOLDER);
    Map<String, Object> sections = new LinkedHashMap<>();
    Map<String, Object> dotted = new LinkedHashMap<>();
    for (PolicyKind<?, ?> kind : PolicyKind.ALL) {
      addKind(kind);
      for (String name : kind.names()) {
        sections.put(name, reference(kind.name()));
        dotted.put("^(recloser|resilience4j)[.]" + name + "$", reference(kind.name()));
      }
    }
    addPipelines();
    sections.put(Section.PIPELINES, reference(Section.PIPELINES));
    dotted.put("^recloser[.]pipelines$", reference(Section.PIPELINES));
    sections.put(
        ListenerNames.SECTION,
        names("Who hears of what all policies do: the names of Consumers of PolicyEvent."));
    addLint();
    sections.put(LintSection.NAME, reference(LintSection.NAME));
    dotted.put("^recloser[.]lint$", reference(LintSection.NAME));
    definitions.put("policies", ordered("type", "object", "properties", sections));

    Map<String, Object> root = new LinkedHashMap<>();
    root.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    root.put("title", "Recloser");
    root.put("description", "Policies and pipelines; other keys of the file are left alone.");
    root.put("type", "object");
    root.put(
        "properties",
        ordered("recloser", reference("policies"), "resilience4j", reference("policies")));
    root.put("patternProperties", dotted);
    root.put("$defs", definitions);
    return root;
  }

  private void addKind(PolicyKind<?, ?> kind) {
    String settings = kind.name() + "-settings";
    Map<String, Object> blocks =
        ordered("type", "object", "additionalProperties", nullable(reference(settings)));
    Map<String, Object> properties = new LinkedHashMap<>();
    for (String name : List.of("configs", "instances")) {
      properties.put(name, nullable(blocks));
    }
    for (String name : List.of("backends", "limiters")) {
      properties.put(name, withDescription(blocks, "An old name of instances."));
    }
    definitions.put(kind.name(), nullable(ordered("type", "object", "properties", properties)));
    definitions.put(settings, settings(kind));
  }

  private Map<String, Object> settings(PolicyKind<?, ?> kind) {
    KeyDefaults defaults = KeyDefaults.of(kind);
    Map<String, Object> properties = new LinkedHashMap<>();
    Map<String, Map<String, Object>> groups = new TreeMap<>();
    for (Key<?> key : kind.keys().all()) {
      Map<String, Object> schema = schema(key, defaults);
      putSpellings(properties, key, schema);
      int dot = key.name().indexOf('.');
      if (dot > 0) {
        groups
            .computeIfAbsent(key.name().substring(0, dot), absent -> new LinkedHashMap<>())
            .put(key.name().substring(dot + 1), schema);
      }
    }
    groups.forEach((name, members) -> addGroup(properties, name, members));
    return closed(properties);
  }

  /** A switch with keys within it. */
  private static void addGroup(
      Map<String, Object> properties, String name, Map<String, Object> members) {
    Map<String, Object> spelled = new LinkedHashMap<>();
    members.forEach(
        (member, schema) -> {
          spelled.put(member, schema);
          spelled.putIfAbsent(kebab(member), schema);
        });
    List<Object> either = List.of(properties.get(name), closed(spelled));
    properties.put(name, ordered("anyOf", either));
    properties.put(kebab(name), ordered("anyOf", either));
  }

  private static void putSpellings(
      Map<String, Object> properties, Key<?> key, Map<String, Object> schema) {
    List<String> names = new ArrayList<>(List.of(key.name()));
    names.addAll(key.aliases());
    for (String name : names) {
      properties.put(name, schema);
      properties.putIfAbsent(kebab(name), schema);
    }
  }

  private Map<String, Object> schema(Key<?> key, KeyDefaults defaults) {
    if (!(key instanceof Key.Setting<?, ?> setting)) {
      return ordered(
          "description",
          "Of Resilience4j, without effect: " + key.description() + ".",
          "deprecated",
          true);
    }
    Map<String, Object> schema = withDescription(form(setting.kind().form()), about(setting));
    String value = defaults.of(setting);
    if (value != null) {
      schema.put("description", about(setting) + " Default: " + value + ".");
    }
    return schema;
  }

  private static String about(Key.Setting<?, ?> setting) {
    String unit = setting.kind().form().unit();
    return setting.description() + (unit.isEmpty() ? "" : " A bare number is " + unit + ".");
  }

  /** Named forms are defined once. */
  private Map<String, Object> form(Form form) {
    if (form.name().isEmpty()) {
      List<?> names = (List<?>) form.schema().get("enum");
      Map<String, Object> choice = ordered("enum", names);
      Map<String, Object> relaxed = ordered("type", "string", "pattern", anyCase(names));
      return ordered("anyOf", List.of(choice, relaxed, reference("placeholder")));
    }
    definitions.computeIfAbsent(
        form.name(),
        absent -> ordered("anyOf", List.of(sorted(form.schema()), reference("placeholder"))));
    return reference(form.name());
  }

  /** Forms say nothing of an order, and the document is to be the same each time. */
  private static Object sorted(Object value) {
    if (value instanceof Map<?, ?> map) {
      Map<String, Object> sorted = new TreeMap<>();
      map.forEach((key, each) -> sorted.put((String) key, sorted(each)));
      return sorted;
    }
    return value instanceof List<?> list
        ? list.stream().map(SchemaDocument::sorted).toList()
        : value;
  }

  private static String anyCase(List<?> names) {
    return names.stream()
        .map(
            name ->
                name.toString()
                    .chars()
                    .mapToObj(
                        c -> c == '_' ? "[_-]?" : "[%c%c]".formatted(c, Character.toLowerCase(c)))
                    .collect(Collectors.joining()))
        .collect(Collectors.joining("|", "^(", ")$"));
  }

  private void addPipelines() {
    Map<String, Object> policies =
        ordered(
            "description",
            "default, or policies, outermost first.",
            "anyOf",
            List.of(
                ordered("type", "string"),
                ordered(
                    "type",
                    "array",
                    "minItems",
                    1,
                    "items",
                    ordered(
                        "anyOf",
                        List.of(
                            ordered("type", "string"),
                            ordered(
                                "type", "object",
                                "minProperties", 1,
                                "maxProperties", 1))))));
    Map<String, Object> warnings =
        ordered(
            "description",
            "Whether it is an error that the pipeline warns of something.",
            "enum",
            List.of("note", "error"));
    Map<String, Object> pipeline =
        ordered(
            "anyOf",
            List.of(
                policies,
                closed(
                    ordered(
                        "policies",
                        policies,
                        "fallback",
                        name("A Fallback around the policies, or a Supplier of one."),
                        "contexts",
                        names("What calls carry to other threads: the names of CallContexts."),
                        "warnings",
                        warnings))));
    definitions.put(
        Section.PIPELINES, nullable(ordered("type", "object", "additionalProperties", pipeline)));
  }

  private static Map<String, Object> name(String description) {
    return ordered("description", description + " The name of a bean or class.", "type", "string");
  }

  private static Map<String, Object> names(String description) {
    return ordered(
        "description",
        description,
        "anyOf",
        List.of(
            ordered("type", "string"),
            ordered("type", "array", "items", ordered("type", "string"))));
  }

  private void addLint() {
    Map<String, Object> rules = new LinkedHashMap<>();
    for (Lint.Rule rule : Lint.rules()) {
      Map<String, Object> reason =
          ordered(
              "description",
              "Why this shall be as it is, for all or by name. " + rule.about(),
              "anyOf",
              List.of(
                  ordered("type", "string", "minLength", 1),
                  ordered("type", "object", "additionalProperties", ordered("type", "string"))));
      rules.put(rule.id(), reason);
    }
    definitions.put(
        LintSection.NAME,
        closed(ordered(Section.SILENCED, closed(rules), Workloads.KEY, workloads())));
  }

  private Map<String, Object> workloads() {
    Map<String, Object> figures = new LinkedHashMap<>();
    for (Key<?> key : WorkloadKeys.ALL.all()) {
      Key.Setting<?, ?> setting = (Key.Setting<?, ?>) key;
      putSpellings(figures, key, withDescription(form(setting.kind().form()), about(setting)));
    }
    Map<String, Object> byName =
        ordered("type", "object", "additionalProperties", nullable(closed(figures)));
    return withDescription(
        byName, "What is known of the calls, by policy or pipeline; default is for all.");
  }

  private static Map<String, Object> closed(Map<String, Object> properties) {
    return ordered("type", "object", "properties", properties, "additionalProperties", false);
  }

  private static Map<String, Object> nullable(Map<String, Object> schema) {
    return ordered("anyOf", List.of(schema, ordered("type", "null")));
  }

  private static Map<String, Object> withDescription(Map<String, Object> schema, String text) {
    Map<String, Object> described = ordered("description", text);
    described.putAll(schema);
    return described;
  }

  private static Map<String, Object> reference(String definition) {
    return ordered(REFERENCE, "#/$defs/" + definition);
  }

  private static String kebab(String camel) {
    return camel.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
  }

  private static Map<String, Object> ordered(Object... keysAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return map;
  }
}
