package dev.recloser.cli;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/** Tests in a real browser, one for all tests of a class; test classes run one after the other. */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
abstract class InBrowser {
  @SuppressWarnings("NullAway.Init")
  static Browser browser;

  @BeforeAll
  static void startBrowser() {
    browser = Browser.start();
  }

  @AfterAll
  static void closeBrowser() {
    if (browser != null) {
      browser.close();
    }
  }
}
