package dev.recloser.microprofile;

import jakarta.enterprise.inject.Intercepted;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.enterprise.inject.spi.CDI;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * Makes the calls of a bean's methods through their policies. Its priority is set on the way in. It
 * goes with its bean where that is passivated, and so keeps nothing but its class.
 */
@Interceptor
@FaultToleranceBinding
class FaultToleranceInterceptor implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Null for an object that is no bean, of an {@code InterceptionFactory} for example. */
  private final @Nullable Class<?> type;

  /** Null after it has been read. */
  private transient @Nullable FaultToleranceExtension extension;

  @Inject
  FaultToleranceInterceptor(@Intercepted @Nullable Bean<?> bean, BeanManager beans) {
    type = bean == null ? null : bean.getBeanClass();
    extension = beans.getExtension(FaultToleranceExtension.class);
  }

  @AroundInvoke
  @Nullable Object guard(InvocationContext context) throws Exception {
    Class<?> owner = type == null ? context.getMethod().getDeclaringClass() : type;
    return extension().application().operation(owner, context.getMethod()).call(context);
  }

  private FaultToleranceExtension extension() {
    FaultToleranceExtension known = extension;
    if (known == null) {
      known = CDI.current().getBeanManager().getExtension(FaultToleranceExtension.class);
      extension = known;
    }
    return known;
  }
}
