package dev.recloser.console;

import dev.recloser.CircuitBreaker.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * The data of an event of {@code api/events}, read as the OpenAPI document describes it. Members
 * that are not known are passed over, for those of later versions.
 *
 * @param instance another one after a restart
 */
record RemoteEvent(String instance, List<RemoteBreaker> breakers, List<String> gone) {
  /** How long a name may be; it is kept, and shown. */
  static final int MOST_NAME = 1_000;

  private static final double MOST_MILLIS = Duration.ofDays(3_650).toMillis();

  /** More than is ever counted, so that sums over instances do not overflow. */
  private static final long MOST_COUNT = 1_000_000_000_000_000L;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(10)
                  .maxStringLength(MOST_NAME)
                  .maxNameLength(100)
                  .maxNumberLength(40)
                  .build())
          .build();

  /**
   * Reads one.
   *
   * @throws FeedFault when it is none
   */
  static RemoteEvent parse(byte[] data) {
    try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), data)) {
      RemoteEvent event = event(json);
      if (json.nextToken() != null) {
        throw FeedFault.notAPanel("sends more than an object in an event");
      }
      return event;
    } catch (JacksonException e) {
      throw FeedFault.notAPanel("sends events that are not as documented");
    }
  }

  private static RemoteEvent event(JsonParser json) {
    expect(json.nextToken(), JsonToken.START_OBJECT, "data");
    String instance = null;
    List<RemoteBreaker> breakers = new ArrayList<>();
    List<String> gone = new ArrayList<>();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String member = json.currentName();
      JsonToken value = json.nextToken();
      switch (member) {
        case "instance" -> instance = text(json, value, member);
        case "breakers" -> {
          expect(value, JsonToken.START_ARRAY, member);
          while (json.nextToken() != JsonToken.END_ARRAY) {
            breakers.add(breaker(json));
          }
        }
        case "gone" -> {
          expect(value, JsonToken.START_ARRAY, member);
          for (JsonToken each = json.nextToken();
              each != JsonToken.END_ARRAY;
              each = json.nextToken()) {
            gone.add(text(json, each, member));
          }
        }
        default -> json.skipChildren();
      }
    }
    return new RemoteEvent(required(instance, "instance"), breakers, gone);
  }

  private static RemoteBreaker breaker(JsonParser json) {
    expect(json.currentToken(), JsonToken.START_OBJECT, "breakers");
    Members members = new Members();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      members.read(json, json.currentName(), json.nextToken());
    }
    return members.breaker();
  }

  /** Of a breaker, in whatever order they come. */
  private static final class Members {
    private @Nullable String name;
    private @Nullable State state;
    private long inStateFor;
    private @Nullable Long remaining;
    private double admittedPercentage = 100;
    private long openings;
    private long transitions;
    private long callsInFlight;
    private long succeeded;
    private long failed;
    private long refused;

    void read(JsonParser json, String member, JsonToken value) {
      switch (member) {
        case "name" -> name = text(json, value, member);
        case "state" -> state = state(text(json, value, member));
        case "inStateForMillis" -> inStateFor = nanos(json);
        case "remainingMillis" -> remaining = value == JsonToken.VALUE_NULL ? null : nanos(json);
        case "admittedPercentage" -> admittedPercentage = json.getDoubleValue();
        case "openings" -> openings = json.getIntValue();
        case "transitions" -> transitions = json.getLongValue();
        case "callsInFlight" -> callsInFlight = json.getLongValue();
        case "succeeded" -> succeeded = json.getLongValue();
        case "failed" -> failed = json.getLongValue();
        case "refused" -> refused = json.getLongValue();
        default -> json.skipChildren();
      }
    }

    RemoteBreaker breaker() {
      return new RemoteBreaker(
          required(name, "name"),
          required(state, "state"),
          inStateFor,
          remaining,
          Math.round(Math.min(100, Math.max(0, admittedPercentage))),
          (int) Math.max(0, openings),
          Math.max(0, transitions),
          count(callsInFlight),
          new Counts(count(succeeded), count(failed), count(refused)));
    }
  }

  private static long count(long told) {
    return Math.min(MOST_COUNT, Math.max(0, told));
  }

  private static State state(String word) {
    try {
      return State.valueOf(word);
    } catch (IllegalArgumentException e) {
      throw FeedFault.notAPanel("sends the state " + Text.quoted(word));
    }
  }

  /** So much that a difference of readings of a clock stays one. */
  private static long nanos(JsonParser json) {
    return (long) (Math.min(MOST_MILLIS, Math.max(0, json.getDoubleValue())) * 1e6);
  }

  private static String text(JsonParser json, JsonToken value, String member) {
    expect(value, JsonToken.VALUE_STRING, member);
    return json.getString();
  }

  private static void expect(@Nullable JsonToken actual, JsonToken expected, String where) {
    if (actual != expected) {
      throw FeedFault.notAPanel("sends no " + expected + " at " + where);
    }
  }

  private static <T> T required(@Nullable T value, String member) {
    if (value == null) {
      throw FeedFault.notAPanel("sends events without " + member);
    }
    return value;
  }
}
