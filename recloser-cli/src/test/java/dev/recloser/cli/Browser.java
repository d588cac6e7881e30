package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/** Chromium without a window, at a page of this machine. */
final class Browser implements AutoCloseable {
  private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
  private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
  private static final Path AXE =
      Path.of("../recloser-console/src/main/web/node_modules/axe-core/axe.min.js");
  private static final Path SCREENSHOTS = Path.of("target/screenshots");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  /** Starts one; where there is none the test is skipped, unless they were asked for. */
  static Browser start() {
    require(Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER), "Chromium and its driver");
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toString());
    options.addArguments(
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder().usingDriverExecutable(DRIVER.toFile()).build();
    Browser browser = new Browser(new ChromeDriver(service, options));
    browser.size(1_400, 900);
    return browser;
  }

  private static void require(boolean there, String what) {
    if (Boolean.getBoolean("browser.required")) {
      assertThat(there).as(what + " not found, but -Dbrowser.required=true").isTrue();
    }
    assumeTrue(there, what + " not found");
  }

  void open(URI uri) {
    driver.get("about:blank"); // Another fragment alone would not load it again.
    driver.get(uri.toString());
  }

  /** The tab that is looked at. */
  String tab() {
    return driver.getWindowHandle();
  }

  /** Opens another tab and looks at it. */
  String newTab() {
    driver.switchTo().newWindow(WindowType.TAB);
    return tab();
  }

  void show(String tab) {
    driver.switchTo().window(tab);
  }

  /** Closes the tab that is looked at; another is to be looked at next. */
  void closeTab() {
    driver.close();
  }

  /** Closes all tabs but one. */
  void oneTab() {
    List<String> tabs = List.copyOf(driver.getWindowHandles());
    for (String tab : tabs.subList(1, tabs.size())) {
      show(tab);
      closeTab();
    }
    show(tabs.get(0));
  }

  /** As a browser does with a tab that has long been in the background. */
  void freeze(boolean frozen) {
    emulate("Page.setWebLifecycleState", Map.of("state", frozen ? "frozen" : "active"));
  }

  /** Runs before all scripts of the pages that this tab loads from now on. */
  void beforeLoading(String script) {
    emulate("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
  }

  void size(int width, int height) {
    driver.manage().window().setSize(new Dimension(width, height));
    emulate(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  void scheme(String lightOrDark) {
    List<Map<String, String>> features =
        List.of(Map.of("name", "prefers-color-scheme", "value", lightOrDark));
    emulate("Emulation.setEmulatedMedia", Map.of("features", features));
  }

  /** As with the contrast themes of Windows. */
  void forcedColors() {
    List<Map<String, String>> features =
        List.of(Map.of("name", "forced-colors", "value", "active"));
    emulate("Emulation.setEmulatedMedia", Map.of("features", features));
  }

  private void emulate(String command, Map<String, Object> parameters) {
    driver.executeCdpCommand(command, parameters);
  }

  WebElement find(String selector) {
    return driver.findElement(By.cssSelector(selector));
  }

  List<WebElement> all(String selector) {
    return driver.findElements(By.cssSelector(selector));
  }

  String text(String selector) {
    return String.valueOf(
        script(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent).join('\\n')",
            selector));
  }

  /** The whole text that a row of the overview has; empty if there is none in sight. */
  String row(String name) {
    return String.valueOf(
        script(
            "const all = [...document.querySelectorAll('.item')];"
                + "const item = all.find(i => i.querySelector('.name').textContent === arguments[0]);"
                + "return item ? [...item.querySelectorAll('span')].map(s => s.textContent).join(' | ') : ''",
            name));
  }

  void click(String selector) {
    waitUntil(selector, () -> !all(selector).isEmpty());
    find(selector).click();
  }

  void type(String selector, String text) {
    WebElement field = find(selector);
    field.clear();
    field.sendKeys(text);
  }

  /** Puts the pointer over the middle of an element. */
  void point(String selector) {
    new Actions(driver).moveToElement(find(selector)).perform();
  }

  void press(CharSequence... keys) {
    driver.switchTo().activeElement().sendKeys(keys);
  }

  void press(Keys key, int times) {
    for (int i = 0; i < times; i++) {
      press(key);
    }
  }

  /** What has the focus, by its text or the name of its id. */
  String focused() {
    return String.valueOf(
        script(
            "const e = document.activeElement;"
                + "return e.id || (e.querySelector('.name') ?? e).textContent"));
  }

  Object script(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  /** What a script answers to the function that is its last argument. */
  String await(String script, Object... arguments) {
    return String.valueOf(driver.executeAsyncScript(script, arguments));
  }

  /** What the scripts of the page hold, once all is collected that can be. */
  long heapBytes() {
    emulate("HeapProfiler.collectGarbage", Map.of());
    Map<String, Object> usage = driver.executeCdpCommand("Runtime.getHeapUsage", Map.of());
    return ((Number) usage.get("usedSize")).longValue();
  }

  void waitUntil(String what, BooleanSupplier condition) {
    new WebDriverWait(driver, PATIENCE)
        .withMessage(what)
        .pollingEvery(Duration.ofMillis(50))
        .ignoring(StaleElementReferenceException.class)
        .until(unused -> condition.getAsBoolean());
  }

  void waitForText(String selector, String text) {
    waitUntil(selector + " to say " + text, () -> text(selector).contains(text));
  }

  /** What axe-core finds wrong for people who do not see or use a mouse; each with its place. */
  String violations() {
    require(Files.isReadable(AXE), "axe-core (npm ci in recloser-console/src/main/web)");
    try {
      script(Files.readString(AXE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return String.valueOf(
        driver.executeAsyncScript(
            "const done = arguments[0];"
                + "axe.run(document, {runOnly: ['wcag2a','wcag2aa','wcag21a','wcag21aa','wcag22aa','best-practice']})"
                + ".then(r => done(r.violations.map(v => v.id + ': ' + v.help + ' at '"
                + " + v.nodes.slice(0, 3).map(n => n.html + ' ' + n.failureSummary).join(' ; ')).join('\\n')))"));
  }

  /** What the browser complained about, other than that a server was gone. */
  List<String> complaints() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .map(LogEntry::getMessage)
        .filter(message -> !message.contains("net::ERR_"))
        .toList();
  }

  boolean overflows() {
    return (Boolean) script("return document.documentElement.scrollWidth > innerWidth");
  }

  void screenshot(String name) {
    try {
      Files.createDirectories(SCREENSHOTS);
      Files.write(SCREENSHOTS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    driver.quit();
  }
}
