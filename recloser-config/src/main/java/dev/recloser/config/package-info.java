/**
 * Policies and pipelines described in YAML, properties and maps.
 *
 * <p>{@link dev.recloser.config.PolicyConfigs} reads all that a file has, {@link
 * dev.recloser.config.BreakerConfigs} its circuit breakers only. {@link
 * dev.recloser.config.ConfigurationWatch} follows files that change, and {@link
 * dev.recloser.config.Lint} finds known mistakes in them.
 *
 * <h2>Three shapes of circuit breakers</h2>
 *
 * <p>A file may be a <em>bare block</em>, the settings of one breaker:
 *
 * <pre>{@code
 * slidingWindowSize: 20
 * failureRateThreshold: 50
 * waitDurationInOpenState: 30s
 * }</pre>
 *
 * <p>or hold <em>instances</em>, which are breakers by name, and <em>configs</em>, the templates
 * they are made from, under {@code resilience4j.circuitbreaker} or {@code recloser.circuitbreaker}:
 *
 * <pre>{@code
 * resilience4j:
 *   circuitbreaker:
 *     configs:
 *       default:
 *         waitDurationInOpenState: 30s
 *       slow:
 *         baseConfig: default
 *         slowCallDurationThreshold: 5s
 *     instances:
 *       inventory:
 *         slidingWindowSize: 20
 *       reports:
 *         baseConfig: slow
 * }</pre>
 *
 * <p>What else such a file holds is left alone. An instance without {@code baseConfig} is made from
 * the template of its own name, else from the template {@code default}, else from the defaults.
 * What a block sets replaces what it inherits, key by key; a list replaces a list.
 *
 * <h2>Policies of all kinds</h2>
 *
 * <p>The other kinds have sections of the same form: {@code retry}, {@code hedge}, {@code
 * bulkhead}, {@code thread-pool-bulkhead}, {@code ratelimiter}, and {@code timelimiter}, which may
 * be called {@code timeout}.
 *
 * <pre>{@code
 * recloser:
 *   retry:
 *     configs:
 *       default:
 *         maxAttempts: 3
 *     instances:
 *       inventory:
 *         waitDuration: 100ms
 *   timelimiter:
 *     instances:
 *       inventory:
 *         timeoutDuration: 200ms
 * }</pre>
 *
 * <h2>Pipelines</h2>
 *
 * <p>A pipeline is a list of policies, outermost first. A kind alone is a policy of the pipeline's
 * own name, as it is written or else as an instance without settings would be; with a name it is
 * the instance of that name, which all who name it share.
 *
 * <pre>{@code
 * recloser:
 *   pipelines:
 *     orders: default
 *     reports: [retry: inventory, circuitbreaker, timelimiter: inventory]
 *     payments:
 *       policies: [retry, bulkhead]
 *       fallback: com.shop.PayLater
 *       warnings: error
 * }</pre>
 *
 * <p>{@code default} stands for {@code retry}, {@code hedge}, {@code circuitbreaker}, {@code
 * ratelimiter}, {@code bulkhead} and {@code timelimiter}; hedge and rate limiter only if one of the
 * pipeline's name is written. If a {@code thread-pool-bulkhead} of that name is, it stands
 * innermost, in place of the bulkhead unless that is written as well. What {@link
 * dev.recloser.Pipeline#warnings} says is a {@linkplain dev.recloser.config.PolicyConfigs#notes()
 * note}, or an error where {@code warnings} says so. A {@code fallback} is a {@link
 * dev.recloser.Fallback} or a {@code Supplier} of one by name, and {@code contexts} are a list of
 * {@link dev.recloser.spi.CallContext}s by name.
 *
 * <h2>How it is written</h2>
 *
 * <ul>
 *   <li>Keys are those of {@link dev.recloser.CircuitBreakerConfig.Builder} and of the builders of
 *       the other kinds, in camel case or kebab case. The names of instances, templates and
 *       pipelines keep their spelling.
 *   <li>Durations are {@code 10ns}, {@code 500us}, {@code 150ms}, {@code 30s}, {@code 2m}, {@code
 *       1h}, {@code 1d}, ISO-8601, or a bare number of milliseconds. The size of a {@code
 *       TIME_BASED} window is a duration too, but a bare number there means seconds.
 *   <li>Exceptions are full class names; the classes need not be there, except those of Java
 *       itself.
 *   <li>Functions, executors, shared budgets, and the {@code listeners} of all policies are names
 *       of {@linkplain dev.recloser.config.PolicyConfigs.Base#beans beans}, or of classes that are
 *       there and have a public constructor without parameters.
 *   <li>In properties a list is {@code key[0]=}, {@code key[1]=}, or has commas; a name with dots
 *       stands in brackets, as in {@code instances[api.example.com].slidingWindowSize}.
 * </ul>
 *
 * <p>A value may have placeholders: {@code ${name}} stands for the system property or environment
 * variable of that name, else for the value of that key in the same files, and {@code
 * ${name:default}} for the default where there is none. A file may have several documents; those
 * with {@code spring.config.activate.on-profile} hold where that profile is active. Of several
 * files, a later one adds to what an earlier one says about a policy or a template, and replaces
 * its settings, lists and pipelines.
 *
 * <p>Keys of Resilience4j that have no meaning here are {@linkplain
 * dev.recloser.config.PolicyConfigs#notes() noted}, and so are values that mean something a little
 * different. Everything else that is wrong is a {@link
 * dev.recloser.config.InvalidConfigurationFileException}, which lists it all, each with its place.
 */
@NullMarked
package dev.recloser.config;

import org.jspecify.annotations.NullMarked;
