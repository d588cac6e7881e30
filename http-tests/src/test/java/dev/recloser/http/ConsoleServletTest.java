package dev.recloser.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.CircuitBreaker;
import dev.recloser.CircuitBreaker.State;
import dev.recloser.Policies;
import dev.recloser.console.ConsoleAnswer;
import dev.recloser.console.ConsoleHandler;
import dev.recloser.console.ConsoleRequest;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The live panel in a servlet container, by the code of its documentation. */
@Timeout(60)
@DisplayNameGeneration(ReplaceUnderscores.class)
final class ConsoleServletTest {
  private static final String PANEL = "/panel";
  private static final String USER = "X-Application-User";
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final Policies policies = Policies.create();
  private final ConsoleHandler panel =
      ConsoleHandler.create(
          policies, settings -> settings.maxStreams(1).controls(request -> request.header(USER)));
  private ServletContainer.Running container;

  /** At /panel/* as documented; at /async/* with a thread of its own for an answer. */
  private final class Panel extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      ConsoleAnswer answer =
          panel.answer(
              new ConsoleRequest(
                  request.getMethod(),
                  rawPathOf(request),
                  headersOf(request),
                  request.getInputStream()));
      response.setStatus(answer.status());
      answer.headers().forEach(response::setHeader);
      if (request.getRequestURI().startsWith(PANEL)) {
        try (answer) {
          answer.writeTo(response.getOutputStream());
        }
      } else {
        writeLater(answer, request.startAsync());
      }
    }

    private void writeLater(ConsoleAnswer answer, AsyncContext async) {
      async.setTimeout(0); // A stream does not end.
      Thread thread =
          new Thread(
              () -> {
                try (answer) {
                  answer.writeTo(async.getResponse().getOutputStream());
                } catch (IOException e) {
                  // The reader has gone.
                } finally {
                  async.complete();
                }
              });
      thread.setDaemon(true);
      thread.start();
    }
  }

  private static String rawPathOf(HttpServletRequest request) {
    String path = request.getRequestURI().substring(PANEL.length());
    return request.getQueryString() == null ? path : path + "?" + request.getQueryString();
  }

  /** Those that were sent, and who the application says sent them, whatever the sender says. */
  private static Map<String, List<String>> headersOf(HttpServletRequest request) {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String name : Collections.list(request.getHeaderNames())) {
      headers.put(name, Collections.list(request.getHeaders(name)));
    }
    headers.remove(USER);
    if (request.getRemoteUser() != null) {
      headers.put(USER, List.of(request.getRemoteUser()));
    }
    return headers;
  }

  /** The application's log-in: whoever has a password may read, and those with a name command. */
  private static final class LogIn implements Filter {
    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      String sent = ((HttpServletRequest) request).getHeader("Authorization");
      String[] user =
          sent == null || !sent.startsWith("Basic ")
              ? new String[0]
              : new String(Base64.getDecoder().decode(sent.substring(6)), StandardCharsets.UTF_8)
                  .split(":", -1);
      if (user.length != 2 || !user[1].equals("secret")) {
        ((HttpServletResponse) response).setStatus(401);
        return;
      }
      chain.doFilter(
          new HttpServletRequestWrapper((HttpServletRequest) request) {
            @Override
            public String getRemoteUser() {
              return user[0].isEmpty() ? null : user[0];
            }
          },
          response);
    }
  }

  @AfterEach
  void stop() throws Exception {
    panel.close();
    container.stop();
  }

  @ParameterizedTest
  @EnumSource
  void the_page_and_what_it_asks_for_are_there_for_who_has_logged_in(ServletContainer kind)
      throws Exception {
    start(kind);
    breaker("inventory").transitionTo(State.OPEN);
    for (String file : List.of("/", "/console.js", "/api/openapi.json", "/api/export")) {
      HttpResponse<String> answer = get(PANEL + file);
      assertThat(answer.statusCode()).as(file).isEqualTo(200);
      assertThat(answer.headers().firstValue("Content-Security-Policy")).isPresent();
    }
    assertThat(get(PANEL + "/api/breakers").body()).contains("\"state\":\"OPEN\"");
    assertThat(get(PANEL + "/api/export").body()).startsWith("{").endsWith("}");
    HttpRequest stranger = HttpRequest.newBuilder(uri(PANEL + "/")).build();
    assertThat(CLIENT.send(stranger, BodyHandlers.ofString()).statusCode()).isEqualTo(401);
  }

  @ParameterizedTest
  @EnumSource
  void any_name_gets_through_the_container(ServletContainer kind) throws Exception {
    start(kind);
    for (String name : List.of(".", "..", "a/b", "a\\b;c", "100%", "a b+c", "日本", "\r\n\0")) {
      breaker(name).transitionTo(State.DISABLED);
      String encoded = URLEncoder.encode(name, StandardCharsets.UTF_8);
      HttpResponse<String> answer = get(PANEL + "/api/breaker?name=" + encoded);
      assertThat(answer.statusCode()).as(name).isEqualTo(200);
      assertThat(answer.body()).contains("\"state\":\"DISABLED\"");
    }
  }

  @ParameterizedTest
  @CsvSource({"JETTY, alice, 200", "JETTY, '', 403", "TOMCAT, alice, 200", "TOMCAT, '', 403"})
  void a_command_is_that_of_the_user_of_the_application(
      ServletContainer kind, String user, int status) throws Exception {
    start(kind);
    breaker("inventory").reset();
    HttpRequest command =
        request(PANEL + "/api/breaker/control?name=inventory", user)
            .header("Content-Type", "application/json")
            .header("X-Recloser-Console", "1")
            .header(USER, "mallory")
            .POST(BodyPublishers.ofString("{\"action\":\"disable\",\"reason\":\"drill\"}"))
            .build();
    HttpResponse<String> answer = CLIENT.send(command, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.body()).doesNotContain("mallory");
    assertThat(breaker("inventory").state())
        .isEqualTo(status == 200 ? State.DISABLED : State.CLOSED);
    if (status == 200) {
      assertThat(answer.body()).contains("\"user\":\"alice\"");
    }
  }

  @ParameterizedTest
  @CsvSource({"JETTY, /panel", "JETTY, /async", "TOMCAT, /panel", "TOMCAT, /async"})
  void a_stream_tells_of_changes_at_once_and_ends_with_its_reader_or_the_panel(
      ServletContainer kind, String place) throws Exception {
    start(kind);
    breaker("inventory").reset();
    try (BufferedReader events = stream(place)) {
      assertThat(next(events, "snapshot")).contains("\"name\":\"inventory\"");
      breaker("inventory").transitionTo(State.OPEN);
      assertThat(next(events, "changes")).contains("\"state\":\"OPEN\"");
      assertThat(get(place + "/api/events").statusCode()).isEqualTo(503);
    }
    try (BufferedReader events = streamWhenThereIsRoom(place)) {
      assertThat(next(events, "snapshot")).contains("\"state\":\"");
      panel.close();
      while (events.readLine() != null) {
        // To its end.
      }
    }
  }

  private static String next(BufferedReader events, String type) throws IOException {
    String line = events.readLine();
    while (line != null && !line.equals("event: " + type)) {
      line = events.readLine();
    }
    String id = events.readLine();
    String data = events.readLine();
    assertThat(id).startsWith("id: ");
    return data;
  }

  /** That a reader has gone is found when there is something to tell it, here with each round. */
  private BufferedReader streamWhenThereIsRoom(String place) throws Exception {
    while (true) {
      breaker("inventory").transitionTo(State.FORCED_OPEN);
      breaker("inventory").reset();
      HttpResponse<InputStream> answer =
          CLIENT.send(
              request(place + "/api/events", "alice").build(), BodyHandlers.ofInputStream());
      if (answer.statusCode() == 200) {
        return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
      }
      answer.body().close();
    }
  }

  private BufferedReader stream(String place) throws Exception {
    HttpResponse<InputStream> answer =
        CLIENT.send(request(place + "/api/events", "alice").build(), BodyHandlers.ofInputStream());
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("text/event-stream");
    return new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
  }

  private HttpResponse<String> get(String path) throws Exception {
    return CLIENT.send(request(path, "alice").build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path, String user) {
    String credentials = user + ":secret";
    String encoded =
        Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
    return HttpRequest.newBuilder(uri(path)).header("Authorization", "Basic " + encoded);
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + container.port() + path);
  }

  private CircuitBreaker breaker(String name) {
    return policies.circuitBreakers().circuitBreaker(name);
  }

  private void start(ServletContainer kind) throws Exception {
    container = kind.start(new Panel(), new LogIn());
  }
}
