package dev.recloser.console;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/**
 * Names of hosts. An IPv6 address has many spellings: a browser sends the shortest, {@code [::1]},
 * the JDK says {@code 0:0:0:0:0:0:0:1}, and people write either.
 */
final class Hosts {
  private Hosts() {}

  /**
   * The one spelling by which a host is compared; what is no address in brackets stays as it is.
   */
  static String canonical(String host) {
    return address(host).map(Hosts::of).orElse(host);
  }

  /** Whether it can be a name, or an address, without a port; in small letters. */
  static boolean isHost(String host) {
    return host.startsWith("[") ? address(host).isPresent() : host.matches("[a-z0-9._-]+");
  }

  /** As it stands in an address of a page, without the interface, which is of this machine. */
  static String of(InetAddress address) {
    String host = address.getHostAddress();
    int scope = host.indexOf('%');
    String bare = scope < 0 ? host : host.substring(0, scope);
    return bare.contains(":") ? "[" + bare + "]" : bare;
  }

  /** Of an address in brackets; no name is ever looked up. */
  private static Optional<InetAddress> address(String host) {
    if (!host.matches("\\[[0-9a-f:.]+]")) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.getByName(host));
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }
}
