package dev.recloser.console;

import dev.recloser.InvalidConfigurationException;
import dev.recloser.InvalidConfigurationException.Fault;
import dev.recloser.Pipeline;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Sets what a panel shall differ in from the defaults. Not thread-safe. */
public final class ConsoleSettings {
  /** Default of {@code refreshInterval}: 500 ms. */
  public static final Duration DEFAULT_REFRESH_INTERVAL = Duration.ofMillis(500);

  /** Default of {@code maxStreams}: {@value}. */
  public static final int DEFAULT_MAX_STREAMS = 32;

  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  int port;
  InetAddress address = InetAddress.getLoopbackAddress();
  String title = "Recloser";
  Duration refreshInterval = DEFAULT_REFRESH_INTERVAL;
  int maxStreams = DEFAULT_MAX_STREAMS;
  final Set<String> hosts = new HashSet<>(LOOPBACK);
  final List<Pipeline<?>> pipelines = new ArrayList<>();

  /** Who sends a request; null where nobody may control anything. */
  @Nullable Function<? super ConsoleRequest, @Nullable String> operators;

  @Nullable String token;

  /** Says who belongs to the fleet; null for no fleet. */
  @Nullable Supplier<? extends Map<String, URI>> instances;

  final Map<String, Supplier<String>> instanceHeaders = new LinkedHashMap<>();

  /** Those that are known now, to be checked with the other settings. */
  private Map<String, URI> fixedInstances = Map.of();

  /** Says what time it is, for people who read an export. */
  InstantSource clock = InstantSource.system();

  ConsoleSettings() {}

  /** Sets the port of {@link Console}. Default: 0, a free one. */
  public ConsoleSettings port(int number) {
    port = number;
    return this;
  }

  /**
   * Sets the address at which {@link Console} listens. Default: loopback. At any other, everybody
   * who reaches it may read, messages of exceptions included; that is what a server of the
   * application with its own log-in is for, and {@link ConsoleHandler}.
   */
  public ConsoleSettings address(InetAddress local) {
    address = Objects.requireNonNull(local, "address");
    return this;
  }

  /**
   * Adds names by which browsers reach the panel, without a port. Requests for any other host are
   * refused, since they may be a foreign page's that had its own name point here. An IPv6 address
   * stands in brackets, in whichever of its spellings. Default: {@code localhost}, {@code
   * 127.0.0.1} and {@code [::1]}, which always are among them.
   */
  public ConsoleSettings hosts(String... names) {
    for (String name : names) {
      hosts.add(name.toLowerCase(Locale.ROOT));
    }
    return this;
  }

  /** Sets what the page is called, the application's name for example. Default: Recloser. */
  public ConsoleSettings title(String text) {
    title = Objects.requireNonNull(text, "title");
    return this;
  }

  /**
   * Sets how often policies are looked at while somebody watches. Default: 500 ms.
   *
   * @param interval 50 ms to 1 min
   */
  public ConsoleSettings refreshInterval(Duration interval) {
    refreshInterval = Objects.requireNonNull(interval, "refreshInterval");
    return this;
  }

  /**
   * Sets how many may watch at once; others are told to come back. Default: {@value
   * #DEFAULT_MAX_STREAMS}. Each takes a thread.
   *
   * @param streams 1 to 1,000
   */
  public ConsoleSettings maxStreams(int streams) {
    maxStreams = streams;
    return this;
  }

  /**
   * Adds a pipeline, whose policies and fallbacks are then shown beside its breaker. The policies
   * that the panel was made with are shown anyway.
   */
  public ConsoleSettings pipeline(Pipeline<?> pipeline) {
    pipelines.add(Objects.requireNonNull(pipeline, "pipeline"));
    return this;
  }

  /**
   * Lets who has a token control breakers: force them open, disable, only measure, reset, or probe
   * them. The token is made here, and goes to {@link Console#controlUri} or {@link
   * ConsoleHandler#token}, to be printed for those who may; it is not logged. Default: nobody can.
   */
  public ConsoleSettings controls() {
    String made = Token.create();
    token = made;
    operators = request -> Token.isIn(request, made) ? "token" : null;
    return this;
  }

  /**
   * Lets those control breakers whom the application knows. Default: nobody can.
   *
   * @param users says who sends a request, by the name that goes to the log; null for nobody who
   *     may. One that throws stands for nobody, and is logged. Thread-safe
   */
  public ConsoleSettings controls(Function<? super ConsoleRequest, @Nullable String> users) {
    token = null;
    operators = Objects.requireNonNull(users, "users");
    return this;
  }

  /**
   * Shows a fleet beside the own breakers: those of other processes that have a panel too, each
   * with its name and the address of its panel. They are asked for their breakers by this process,
   * while somebody watches, and no other address ever is. Default: none, and so for an empty map.
   *
   * @param addresses at most 200, http or https; copied
   */
  public ConsoleSettings instances(Map<String, URI> addresses) {
    // Not Map.copyOf, which says nothing of a null but that there is one.
    Map<String, URI> copy =
        Collections.unmodifiableMap(
            new LinkedHashMap<>(Objects.requireNonNull(addresses, "addresses")));
    fixedInstances = copy;
    instances = copy.isEmpty() ? null : () -> copy;
    return this;
  }

  /**
   * Shows a fleet whose instances come and go.
   *
   * @param discovery says which there are now, as in {@link #instances(Map)}; asked every 5 s while
   *     somebody watches, on a thread on which it may block. One that throws, or has something
   *     wrong in its answer, is logged and changes nothing. Thread-safe
   */
  public ConsoleSettings instances(Supplier<? extends Map<String, URI>> discovery) {
    fixedInstances = Map.of();
    instances = Objects.requireNonNull(discovery, "discovery");
    return this;
  }

  /**
   * Adds a header field to the requests to instances, for the log-in that is before their panels.
   * It goes to the addresses that were given and, since redirects are not followed, to no other.
   * Default: none.
   *
   * @param name such as {@code Authorization}
   * @param value asked for with each connection, so it may change; may block. One that throws or
   *     gives nothing of use is shown as what is wrong with the instance, without its value.
   *     Thread-safe
   */
  public ConsoleSettings instanceHeader(String name, Supplier<String> value) {
    instanceHeaders.put(
        Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
    return this;
  }

  void check() {
    List<Fault> faults = new ArrayList<>();
    check(faults, port >= 0 && port <= 65_535, "port", port, "0 to 65535");
    check(faults, !title.isBlank(), "title", "\"" + title + "\"", "not blank");
    check(
        faults,
        refreshInterval.compareTo(Duration.ofMillis(50)) >= 0
            && refreshInterval.compareTo(Duration.ofMinutes(1)) <= 0,
        "refreshInterval",
        refreshInterval,
        "50 ms to 1 min");
    check(faults, maxStreams >= 1 && maxStreams <= 1_000, "maxStreams", maxStreams, "1 to 1,000");
    for (String host : hosts) {
      check(
          faults,
          Hosts.isHost(host),
          "hosts",
          "\"" + host + "\"",
          "a name or address without a port");
    }
    faults.addAll(Instances.faults(fixedInstances));
    for (String name : instanceHeaders.keySet()) {
      String expected = "the name of a header field that may be set";
      check(faults, FleetClient.canSet(name), "instanceHeader", Text.quoted(name), expected);
    }
    if (!faults.isEmpty()) {
      throw new InvalidConfigurationException("A console", faults);
    }
  }

  private static void check(
      List<Fault> faults, boolean right, String setting, Object value, String expected) {
    if (!right) {
      faults.add(new Fault(setting, String.valueOf(value), expected));
    }
  }
}
