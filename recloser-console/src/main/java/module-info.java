/**
 * Recloser's live panel: {@link dev.recloser.console.Console} serves it, {@link
 * dev.recloser.console.ConsoleHandler} answers for a server that an application has already.
 */
module dev.recloser.console {
  requires transitive dev.recloser;
  requires java.net.http;
  requires jdk.httpserver;
  requires static org.jspecify;
  requires tools.jackson.core;

  exports dev.recloser.console;
}
