package dev.recloser.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The attributes of metrics and spans. */
final class Attribute {
  static final AttributeKey<String> NAME = AttributeKey.stringKey("recloser.policy.name");
  static final AttributeKey<String> STATE =
      AttributeKey.stringKey("recloser.circuit_breaker.state");
  static final AttributeKey<String> OUTCOME =
      AttributeKey.stringKey("recloser.circuit_breaker.outcome");
  static final AttributeKey<Boolean> SLOW =
      AttributeKey.booleanKey("recloser.circuit_breaker.slow");
  static final AttributeKey<String> REASON =
      AttributeKey.stringKey("recloser.circuit_breaker.refusal.reason");
  static final AttributeKey<String> FROM =
      AttributeKey.stringKey("recloser.circuit_breaker.transition.from");
  static final AttributeKey<String> TO =
      AttributeKey.stringKey("recloser.circuit_breaker.transition.to");
  static final AttributeKey<String> CAUSE =
      AttributeKey.stringKey("recloser.circuit_breaker.transition.cause");
  static final AttributeKey<String> RESULT = AttributeKey.stringKey("recloser.result");
  static final AttributeKey<String> SOURCE = AttributeKey.stringKey("recloser.answer.source");
  static final AttributeKey<Long> POSITION = AttributeKey.longKey("recloser.fallback.position");

  /** Of the semantic conventions. */
  static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

  /** Made once, for spans ask with every call. As many as there are constants. */
  private static final Map<Enum<?>, String> VALUES = new ConcurrentHashMap<>();

  private Attribute() {}

  /** The value of an attribute for a constant. */
  static String valueOf(Enum<?> constant) {
    return VALUES.computeIfAbsent(constant, each -> each.name().toLowerCase(Locale.ROOT));
  }
}
