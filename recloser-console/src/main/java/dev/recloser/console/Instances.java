package dev.recloser.console;

import dev.recloser.InvalidConfigurationException;
import dev.recloser.InvalidConfigurationException.Fault;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Where the instances of a fleet have their panels, as the operator says. */
final class Instances {
  /** How many there may be. */
  static final int MOST = 200;

  private static final int MOST_NAME = 100;
  private static final String PANEL =
      "the address of a panel, such as http://10.0.0.1:8080/panel/, without user, query or"
          + " fragment";

  private Instances() {}

  /**
   * Checks them.
   *
   * @return a copy, in which each address ends in a slash, so that what is below can be found
   * @throws InvalidConfigurationException lists all that is wrong
   */
  static SortedMap<String, URI> checked(Map<String, URI> instances) {
    List<Fault> faults = faults(instances);
    if (!faults.isEmpty()) {
      throw new InvalidConfigurationException("A fleet", faults);
    }
    SortedMap<String, URI> checked = new TreeMap<>();
    instances.forEach((name, uri) -> checked.put(name, withSlash(uri)));
    return checked;
  }

  static List<Fault> faults(Map<String, URI> instances) {
    List<Fault> faults = new ArrayList<>();
    if (instances.size() > MOST) {
      faults.add(new Fault("instances", String.valueOf(instances.size()), "at most " + MOST));
    }
    instances.forEach(
        (name, uri) -> {
          if (!isName(name)) {
            String expected = "a name on one line of at most " + MOST_NAME + " characters";
            faults.add(new Fault("instances", Text.quoted(name), expected));
          }
          if (!isPanel(uri)) {
            faults.add(new Fault("instances: " + name, withoutSecrets(uri), PANEL));
          }
        });
    return faults;
  }

  private static boolean isName(@Nullable String name) {
    return name != null && !name.isBlank() && name.length() <= MOST_NAME && Text.isOnOneLine(name);
  }

  private static boolean isPanel(@Nullable URI uri) {
    if (uri == null || uri.getScheme() == null || uri.getHost() == null) {
      return false;
    }
    String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
    return (scheme.equals("http") || scheme.equals("https"))
        && uri.getRawUserInfo() == null
        && uri.getRawQuery() == null
        && uri.getRawFragment() == null;
  }

  /** For a message: a password in an address shall not go to a log. */
  private static String withoutSecrets(@Nullable URI uri) {
    return uri == null || uri.getRawUserInfo() == null
        ? Text.quoted(uri == null ? null : uri.toString())
        : Text.quoted(uri.getScheme() + "://…@" + uri.getHost());
  }

  private static URI withSlash(URI uri) {
    String text = uri.toString();
    return text.endsWith("/") ? uri : URI.create(text + "/");
  }
}
