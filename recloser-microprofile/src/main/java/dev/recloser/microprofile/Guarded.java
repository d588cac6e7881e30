package dev.recloser.microprofile;

import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.TYPE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import jakarta.enterprise.util.Nonbinding;
import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.Documented;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/**
 * Makes the calls of a method, or of all methods of a class, through a {@link
 * dev.recloser.Pipeline} that is a bean of this name ({@link jakarta.inject.Named}).
 *
 * <pre>
 * &#64;Produces &#64;Singleton &#64;Named("inventory")
 * Pipeline&lt;Object&gt; inventory() {
 *   return Pipeline.create("inventory", calls -> calls
 *       .retry(config -> config.maxAttempts(3))
 *       .circuitBreaker(config -> config.slowCallDurationThreshold(Duration.ofMillis(150))));
 * }
 *
 * &#64;Guarded("inventory")
 * Stock stock(String sku) {
 *   return client.stock(sku);
 * }
 * </pre>
 *
 * <p>A method that returns a {@code CompletionStage} or {@code CompletableFuture} is called as by
 * {@link dev.recloser.Pipeline#callAsync}, on the calling thread, any other as by {@link
 * dev.recloser.Pipeline#call}; exceptions are those of the pipeline and of the method. All methods
 * that name a pipeline share it, and what it counts and limits. The annotation cannot stand
 * together with those of MicroProfile Fault Tolerance, and a pipeline that is not there, or there
 * twice, is found when the application is deployed.
 */
@Inherited
@Documented
@InterceptorBinding
@FaultToleranceBinding
@Retention(RUNTIME)
@Target({METHOD, TYPE})
public @interface Guarded {
  /** The name of the pipeline. */
  @Nonbinding
  String value();
}
