package dev.recloser.jdk;

import java.util.List;
import java.util.Map;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanFeatureInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.StandardMBean;

/** The bean, with what a console shows beside it: JMX knows no parameter names by itself. */
final class DescribedBean extends StandardMBean {
  private static final Map<String, String> FEATURES =
      Map.of(
          "CircuitBreakers", "All breakers, by name; times in milliseconds, -1 for no limit",
          "Size", "How many breakers there are",
          "Refusing", "Those that refuse calls: open, half-open or forced open",
          "explain", "Why a breaker is where it is, and what happens next",
          "transitions", "The last transitions of a breaker, the newest last",
          "transitionTo", "Puts a breaker into a state until somebody changes it",
          "transitionToFor", "Puts a breaker into one of the operator's states for a time",
          "reset", "Closes a breaker and forgets its evidence; what it has counted stays");

  private static final List<String> PARAMETERS = List.of("name", "state", "milliseconds");

  DescribedBean(CircuitBreakersMXBean bean) {
    super(bean, CircuitBreakersMXBean.class, /* isMXBean= */ true);
  }

  @Override
  protected String getDescription(MBeanInfo info) {
    return "Circuit breakers: where they stand, why, and the commands of an operator";
  }

  @Override
  protected String getDescription(MBeanAttributeInfo attribute) {
    return describe(attribute);
  }

  @Override
  protected String getDescription(MBeanOperationInfo operation) {
    return describe(operation);
  }

  @Override
  protected String getDescription(
      MBeanOperationInfo operation, MBeanParameterInfo parameter, int sequence) {
    return switch (getParameterName(operation, parameter, sequence)) {
      case "name" -> "The name of a breaker";
      case "state" -> statesOf(operation);
      default -> "How long, in milliseconds";
    };
  }

  @Override
  protected String getParameterName(
      MBeanOperationInfo operation, MBeanParameterInfo parameter, int sequence) {
    return PARAMETERS.get(sequence);
  }

  @Override
  protected int getImpact(MBeanOperationInfo operation) {
    return switch (operation.getName()) {
      case "explain", "transitions" -> MBeanOperationInfo.INFO;
      default -> MBeanOperationInfo.ACTION;
    };
  }

  private static String statesOf(MBeanOperationInfo operation) {
    String forATime = "FORCED_OPEN, DISABLED or METRICS_ONLY";
    return operation.getName().equals("transitionToFor")
        ? forATime
        : "CLOSED, OPEN, HALF_OPEN, " + forATime;
  }

  private static String describe(MBeanFeatureInfo feature) {
    return FEATURES.getOrDefault(feature.getName(), feature.getName());
  }
}
