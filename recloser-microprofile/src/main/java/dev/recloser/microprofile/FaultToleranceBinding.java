package dev.recloser.microprofile;

import static java.lang.annotation.ElementType.ANNOTATION_TYPE;
import static java.lang.annotation.ElementType.METHOD;
import static java.lang.annotation.ElementType.TYPE;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;

/** Binds the one interceptor; every annotation of the specification brings it along. */
@Inherited
@InterceptorBinding
@Retention(RUNTIME)
@Target({METHOD, TYPE, ANNOTATION_TYPE})
@interface FaultToleranceBinding {
  /** The annotation itself. */
  final class Literal extends AnnotationLiteral<FaultToleranceBinding>
      implements FaultToleranceBinding {
    private static final long serialVersionUID = 1L;
    static final Literal INSTANCE = new Literal();
  }
}
