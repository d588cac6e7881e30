/**
 * Recloser for OkHttp.
 *
 * <p>{@link dev.recloser.okhttp.GuardInterceptor} is all there is.
 */
@SuppressWarnings("requires-transitive-automatic")
module dev.recloser.okhttp {
  requires transitive dev.recloser.http;
  requires transitive okhttp3;
  requires okio;
  requires static org.jspecify;

  exports dev.recloser.okhttp;
}
