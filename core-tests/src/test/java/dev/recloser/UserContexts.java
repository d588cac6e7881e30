package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.recloser.spi.CallContext;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Who a call is made for: in a {@code ScopedValue} where the JDK has them for good, which is since
 * 25, and in a thread-local variable where not. Compiled while the tests run, for they are built
 * for a JDK that has none.
 *
 * @param context carries it from thread to thread
 * @param current says for whom this thread works; "nobody" if for none
 * @param as runs a task for somebody
 */
record UserContexts(
    CallContext context, Supplier<String> current, BiConsumer<String, Runnable> as) {
  private static final int SCOPED_VALUES_SINCE = 25;
  private static final String NAME = "UserContext";

  private static final String SCOPED =
      """
      import dev.recloser.spi.CallContext;
      import java.util.function.*;

      public final class UserContext
          implements CallContext, Supplier<String>, BiConsumer<String, Runnable> {
        private static final ScopedValue<String> USER = ScopedValue.newInstance();

        @Override public Snapshot capture() {
          if (!USER.isBound()) {
            return null;
          }
          String user = USER.get();
          return task -> ScopedValue.where(USER, user).run(task);
        }

        @Override public String get() {
          return USER.isBound() ? USER.get() : "nobody";
        }

        @Override public void accept(String user, Runnable task) {
          ScopedValue.where(USER, user).run(task);
        }
      }
      """;

  private static final String LOCAL =
      """
      import dev.recloser.spi.CallContext;
      import java.util.function.*;

      public final class UserContext
          implements CallContext, Supplier<String>, BiConsumer<String, Runnable> {
        private static final ThreadLocal<String> USER = new ThreadLocal<>();

        @Override public Snapshot capture() {
          return CallContext.of(USER).capture();
        }

        @Override public String get() {
          return USER.get() == null ? "nobody" : USER.get();
        }

        @Override public void accept(String user, Runnable task) {
          USER.set(user);
          try {
            task.run();
          } finally {
            USER.remove();
          }
        }
      }
      """;

  /** Compiles one for this JDK into a folder. */
  static UserContexts compile(Path classes) throws Exception {
    String source = Runtime.version().feature() >= SCOPED_VALUES_SINCE ? SCOPED : LOCAL;
    compile(source, classes);
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {classes.toUri().toURL()}, UserContexts.class.getClassLoader())) {
      return of(loader.loadClass(NAME).getConstructor().newInstance());
    }
  }

  @SuppressWarnings("unchecked") // The sources above say what it implements.
  private static UserContexts of(Object made) {
    return new UserContexts(
        (CallContext) made, (Supplier<String>) made, (BiConsumer<String, Runnable>) made);
  }

  private static void compile(String source, Path classes) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    List<String> options =
        List.of(
            "-proc:none",
            "-implicit:none",
            "-d",
            classes.toString(),
            "-classpath",
            System.getProperty("java.class.path"));
    boolean compiled =
        compiler.getTask(messages, null, null, options, null, List.of(file(source))).call();
    assertThat(compiled).as("%s%n%s", source, messages).isTrue();
  }

  private static JavaFileObject file(String source) {
    return new SimpleJavaFileObject(
        URI.create("string:///" + NAME + ".java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return source;
      }
    };
  }
}
