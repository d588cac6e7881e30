package dev.recloser.console;

import dev.recloser.CircuitBreaker;
import dev.recloser.InvalidConfigurationException;
import dev.recloser.Pipeline;
import dev.recloser.Policy;
import dev.recloser.PolicySource;
import dev.recloser.Ticker;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * The panel without a server: turns requests into answers, for a server that an application has.
 *
 * <pre>{@code
 * ConsoleHandler panel = ConsoleHandler.create(policies, settings -> settings
 *     .hosts("orders.example.com")
 *     .controls(request -> userOf(request))); // null for who may not
 *
 * // In a servlet for /panel/*, behind the application's own log-in:
 * try (ConsoleAnswer answer = panel.answer(new ConsoleRequest(
 *     servletRequest.getMethod(), rawPathOf(servletRequest), // with the query
 *     headersOf(servletRequest), servletRequest.getInputStream()))) {
 *   servletResponse.setStatus(answer.status());
 *   answer.headers().forEach(servletResponse::setHeader);
 *   answer.writeTo(servletResponse.getOutputStream());
 * }
 * }</pre>
 *
 * <p>The page asks for everything by relative addresses, so it may be at any path that ends in a
 * slash. Who may see it is the application's to decide before it asks here; who may control
 * breakers is asked by the panel, with every command.
 *
 * <p>From when it is made until it is closed it listens to the changes of state of all breakers,
 * and keeps the last day of them, at most 512 for each breaker; nothing else is done before
 * somebody asks, and a call costs the same with it as without. Close it with the application, or
 * with the part of it that shows it.
 *
 * <p>Thread-safe.
 */
public final class ConsoleHandler implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Console.class.getName());
  private static final String BREAKERS = "/api/breakers";
  private static final String FLEET = "/api/fleet";
  private static final String FLEET_EVENTS = "/api/fleet/events";
  private static final String BREAKER = "/api/breaker";

  private final PolicySource<?> policies;
  private final PolicySource<CircuitBreaker> breakers;
  private final List<Pipeline<?>> pipelines;
  private final String title;
  private final Duration interval;
  private final Optional<String> token;
  private final String instance = UUID.randomUUID().toString();
  private final Ticker ticker;
  private final InstantSource clock;
  private final Pages pages = new Pages();
  private final Guard guard;
  private final Timelines timelines;
  private final Boards boards;
  private final Streams streams;
  private final EventStream<Board> events;
  private final @Nullable FleetPanel fleet;
  private final Latencies latencies;
  private final Controls controls;

  ConsoleHandler(PolicySource<?> policies, ConsoleSettings settings, Ticker ticker) {
    this.policies = policies;
    breakers = policies.only(CircuitBreaker.class);
    this.ticker = ticker;
    clock = settings.clock;
    pipelines = List.copyOf(settings.pipelines);
    title = settings.title;
    interval = settings.refreshInterval;
    token = Optional.ofNullable(settings.token);
    guard = new Guard(settings.hosts);
    timelines = new Timelines(breakers);
    boards = new Boards(breakers, timelines, ticker, interval.toNanos());
    streams = new Streams(settings.maxStreams, ticker);
    events = new EventStream<>(boards, streams, interval, instance);
    fleet = FleetPanel.of(settings, streams, instance, ticker);
    latencies = new Latencies(ticker);
    controls = new Controls(settings, ticker);
  }

  /**
   * Makes a read-only panel with the default settings.
   *
   * @param policies what it shows, those that are made later included: registries, or those of
   *     files
   */
  public static ConsoleHandler create(PolicySource<?> policies) {
    return create(policies, settings -> {});
  }

  /**
   * Makes a panel.
   *
   * @param policies what it shows, those that are made later included: registries, or those of
   *     files
   * @param settings sets what shall differ from the defaults
   * @throws InvalidConfigurationException when settings are wrong; lists them all
   */
  public static ConsoleHandler create(
      PolicySource<?> policies, Consumer<? super ConsoleSettings> settings) {
    return new ConsoleHandler(policies, with(settings), Ticker.system());
  }

  static ConsoleSettings with(Consumer<? super ConsoleSettings> changes) {
    ConsoleSettings settings = new ConsoleSettings();
    changes.accept(settings);
    settings.check();
    return settings;
  }

  /** What shows that somebody may control breakers; empty unless one was asked for. */
  public Optional<String> token() {
    return token;
  }

  /** Answers a request. Never throws: what is wrong with a request is told in the answer. */
  public ConsoleAnswer answer(ConsoleRequest request) {
    Objects.requireNonNull(request, "request");
    boolean head = request.method().equals("HEAD");
    ConsoleAnswer answer = answerOrProblem(request, head ? "GET" : request.method());
    return (head ? answer.withoutBody() : answer).with(Headers.SECURITY);
  }

  /**
   * Ends all streams of events, and listens to no breaker any more. Requests are still answered.
   */
  @Override
  public void close() {
    streams.close();
    timelines.close();
    latencies.close();
    if (fleet != null) {
      fleet.close();
    }
  }

  private ConsoleAnswer answerOrProblem(ConsoleRequest request, String method) {
    try {
      guard.check(request);
      return route(request, method);
    } catch (Problem e) {
      return e.answer();
    } catch (Throwable e) { // Errors too: a ticker and what an application adds are its code.
      LOG.log(System.Logger.Level.WARNING, "The console could not answer", e);
      return Problem.of(500, "Internal error", "see the log of the application").answer();
    }
  }

  private ConsoleAnswer route(ConsoleRequest request, String method) {
    String path = request.pathOnly();
    ConsoleAnswer file = pages.find(path);
    if (file != null) {
      checkMethod(method, "GET");
      return file;
    }
    if (path.startsWith(BREAKERS + "/")) {
      return routeSegments(request, method, path.substring(BREAKERS.length() + 1).split("/", -1));
    }
    if (path.equals(FLEET) || path.equals(FLEET_EVENTS)) {
      FleetPanel there = fleet();
      return read(method, path.equals(FLEET) ? there::all : there::events);
    }
    return switch (path) {
      case BREAKER -> read(method, () -> breaker(find(Names.ofQuery(request.query()))));
      case BREAKER + "/control" -> control(request, method, request.query(), Names::ofQuery);
      case BREAKERS -> read(method, this::breakers);
      case "/api/policies" -> read(method, () -> Json.answer(this::writeOthers));
      case "/api/console" -> read(method, () -> Json.answer(json -> writeConsole(json, request)));
      case "/api/events" -> read(method, events::open);
      case "/api/export" -> read(method, () -> export(request));
      default -> throw notFound(path);
    };
  }

  /** The same for those names that a path can have in it. */
  private ConsoleAnswer routeSegments(ConsoleRequest request, String method, String[] segments) {
    boolean control = segments.length == 2 && segments[1].equals("control");
    if (segments.length != 1 && !control) {
      throw notFound(request.pathOnly());
    }
    return control
        ? control(request, method, segments[0], Names::ofSegment)
        : read(method, () -> breaker(find(Names.ofSegment(segments[0]))));
  }

  private ConsoleAnswer control(
      ConsoleRequest request, String method, String encoded, UnaryOperator<String> decoder) {
    checkMethod(method, "POST");
    CircuitBreaker breaker;
    try {
      String user = controls.checkUser(request);
      guard.checkCommand(request);
      breaker = find(decoder.apply(encoded));
      controls.run(breaker, Command.of(request.body()), user);
    } catch (Problem e) {
      controls.refused(Text.cut(encoded), e);
      throw e;
    }
    boards.changed();
    return breaker(breaker);
  }

  private FleetPanel fleet() {
    if (fleet == null) {
      throw Problem.notFound("instances: none (expected: instances in the settings)");
    }
    return fleet;
  }

  private CircuitBreaker find(String name) {
    return breakers.all().stream()
        .filter(breaker -> breaker.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                Problem.notFound(
                    "name: " + Text.quoted(name) + " (expected: that of a circuit breaker)"));
  }

  private ConsoleAnswer breakers() {
    Board board = boards.recent();
    return Json.answer(
        json -> {
          json.writeStringProperty("instance", instance);
          Json.array(json, "breakers", board.rows().values(), row -> row.writeTo(json));
        });
  }

  private ConsoleAnswer breaker(CircuitBreaker breaker) {
    return Json.answer(json -> writeBreaker(json, breaker, latencies.of(breaker)));
  }

  private ConsoleAnswer export(ConsoleRequest request) {
    Export export =
        new Export(
            json -> writeConsole(json, request),
            this::writeOthers,
            (json, breaker) -> writeBreaker(json, breaker, latencies.known(breaker)));
    List<CircuitBreaker> all =
        breakers.all().stream().sorted(Comparator.comparing(CircuitBreaker::name)).toList();
    return export.of(all, clock.instant());
  }

  private void writeConsole(JsonGenerator json, ConsoleRequest request) {
    json.writeStringProperty("title", title);
    json.writeStringProperty("instance", instance);
    Json.millis(json, "refreshIntervalMillis", interval);
    json.writeBooleanProperty("controls", controls.areOn());
    json.writeBooleanProperty("token", token.isPresent());
    Json.text(json, "user", controls.user(request));
    json.writeBooleanProperty("fleet", fleet != null);
  }

  private void writeBreaker(
      JsonGenerator json, CircuitBreaker breaker, Optional<Latencies.Percentiles> latency) {
    new BreakerDetail(breaker, timelines.of(breaker)).writeTo(json);
    BreakerDetail.writeLatency(json, latency.orElse(null));
    BreakerDetail.writeActions(json, controls.actions(breaker.name()), ticker.nanoTime());
    BreakerDetail.writeRelated(json, related(breaker));
    Json.array(
        json,
        "pipelines",
        pipelines.stream().filter(p -> p.policies().contains(breaker)).toList(),
        pipeline -> PolicyRow.writeFallbacks(json, pipeline));
  }

  private void writeOthers(JsonGenerator json) {
    Set<Policy> all = new LinkedHashSet<>(policies.all());
    pipelines.forEach(pipeline -> all.addAll(pipeline.policies()));
    List<Policy> shown =
        all.stream()
            .filter(policy -> !(policy instanceof CircuitBreaker))
            .sorted(Comparator.comparing(PolicyRow::kindOf).thenComparing(Policy::name))
            .toList();
    BreakerDetail.writeRelated(json, shown);
    Json.array(json, "pipelines", pipelines, p -> PolicyRow.writeFallbacks(json, p));
  }

  /** What stands beside a breaker in a pipeline, or has its name. */
  private Set<Policy> related(CircuitBreaker breaker) {
    Set<Policy> related = new LinkedHashSet<>();
    for (Pipeline<?> pipeline : pipelines) {
      if (pipeline.policies().contains(breaker)) {
        related.addAll(pipeline.policies());
      }
    }
    policies.all().stream()
        .filter(policy -> policy.name().equals(breaker.name()))
        .forEach(related::add);
    related.removeIf(policy -> policy instanceof CircuitBreaker);
    return related;
  }

  private static ConsoleAnswer read(String method, Supplier<ConsoleAnswer> answer) {
    checkMethod(method, "GET");
    return answer.get();
  }

  private static void checkMethod(String method, String expected) {
    if (!method.equals(expected)) {
      String allowed = expected.equals("GET") ? "GET, HEAD" : expected;
      throw Problem.of(
              405,
              "Method not allowed",
              "method: " + Text.quoted(method) + " (expected: " + allowed + ")")
          .with("Allow", allowed);
    }
  }

  private static Problem notFound(String path) {
    return Problem.notFound("path: " + Text.quoted(path) + " (expected: one of /api/openapi.json)");
  }
}
