/**
 * Recloser for HTTP: what an answer means, guarded clients, and what a server says when it had to
 * refuse.
 *
 * <p>{@link dev.recloser.http.HttpGuard} is where to start. Servlets are needed only by who uses
 * {@link dev.recloser.http.RefusalFilter}.
 */
module dev.recloser.http {
  requires transitive dev.recloser;
  requires transitive java.net.http;
  requires static jakarta.servlet;
  requires static org.jspecify;

  exports dev.recloser.http;
}
