/** Recloser's command line. */
module dev.recloser.cli {
  requires HdrHistogram;
  requires dev.recloser;
  requires dev.recloser.config;
  requires dev.recloser.console;
  requires dev.recloser.http;
  requires dev.recloser.lab;
  requires info.picocli;
  requires jdk.httpserver;
  requires java.net.http;
  requires me.tongfei.progressbar;
  requires static org.jspecify;
  requires tools.jackson.core;

  opens dev.recloser.cli to
      dev.recloser,
      info.picocli;
}
