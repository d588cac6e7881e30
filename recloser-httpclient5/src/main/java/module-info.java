/**
 * Recloser for Apache HttpClient 5.
 *
 * <p>{@link dev.recloser.httpclient5.GuardExecHandler} is for its classic clients, {@link
 * dev.recloser.httpclient5.GuardAsyncExecHandler} for its asynchronous ones.
 */
@SuppressWarnings({
  "module",
  "requires-transitive-automatic"
}) // The client's name has a digit, too.
module dev.recloser.httpclient5 {
  requires transitive dev.recloser.http;
  requires transitive org.apache.httpcomponents.client5.httpclient5;
  requires transitive org.apache.httpcomponents.core5.httpcore5;
  requires static org.jspecify;

  exports dev.recloser.httpclient5;
}
