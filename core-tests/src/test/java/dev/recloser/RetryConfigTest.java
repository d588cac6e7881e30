package dev.recloser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RetryConfigTest {
  @Test
  void exceptions_may_be_given_by_their_class_names() {
    RetryConfig byName =
        RetryConfig.of(
            c ->
                c.retryExceptions(List.of("java.io.IOException"))
                    .ignoreExceptions(List.of("java.io.FileNotFoundException")));

    assertThat(byName)
        .isEqualTo(
            RetryConfig.of(
                c ->
                    c.retryExceptions(IOException.class)
                        .ignoreExceptions(FileNotFoundException.class)));
  }

  @Test
  void exceptions_that_are_not_there_may_be_named() throws Exception {
    Retry retry =
        Retry.create(
            "inventory",
            c ->
                c.maxAttempts(2)
                    .waitDuration(Duration.ZERO)
                    .retryExceptions(List.of("com.shop.NoSuchException", "java.io.IOException")));
    int[] attempts = {0};

    String answer =
        retry.call(
            () -> {
              if (attempts[0]++ == 0) {
                throw new IOException("first");
              }
              return "second";
            });

    assertThat(answer).isEqualTo("second");
  }
}
