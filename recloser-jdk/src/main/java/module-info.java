/**
 * Recloser for the tools that come with the JDK: the flight recorder ({@link
 * dev.recloser.jdk.FlightRecording}), JMX ({@link dev.recloser.jdk.JmxRegistration}), and lines of
 * a log ({@link dev.recloser.jdk.TransitionLog}).
 */
module dev.recloser.jdk {
  requires transitive dev.recloser;
  requires transitive java.management;
  requires jdk.jfr;
  requires static org.jspecify;

  exports dev.recloser.jdk;
}
