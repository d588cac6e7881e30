package dev.recloser.microprofile;

import jakarta.enterprise.inject.spi.Annotated;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import org.jspecify.annotations.Nullable;

/** Where annotations are found: in the class file, or with what other extensions made of it. */
@FunctionalInterface
interface Annotations {
  /** The annotation of a type; null if there is none. */
  <A extends Annotation> @Nullable A find(Class<A> type);

  static Annotations of(Annotated annotated) {
    return annotated::getAnnotation;
  }

  static Annotations of(AnnotatedElement element) {
    return element::getAnnotation;
  }
}
