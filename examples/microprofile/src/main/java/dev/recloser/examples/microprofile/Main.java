package dev.recloser.examples.microprofile;

import jakarta.enterprise.inject.se.SeContainer;
import jakarta.enterprise.inject.se.SeContainerInitializer;
import java.net.URI;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;

/** Starts the service: Weld with the beans, and Jetty before it. */
public final class Main {
  private final SeContainer container;
  private final Server server;

  private Main(int port) throws Exception {
    container = SeContainerInitializer.newInstance().initialize();
    server = new Server(port);
    ServletContextHandler paths = new ServletContextHandler("/");
    ServletHolder servlet = new ServletHolder(container.select(StockServlet.class).get());
    for (String path : new String[] {"/stock", "/later", "/explain", "/warehouse"}) {
      paths.addServlet(servlet, path);
    }
    server.setHandler(paths);
    server.start();
  }

  /**
   * Starts it.
   *
   * @param port 0 for any that is free
   */
  public static Main start(int port) throws Exception {
    return new Main(port);
  }

  /** Starts it on port 8080 until it is killed. */
  public static void main(String[] arguments) throws Exception {
    Main main = start(8080);
    System.out.println("Listening on " + main.address());
    main.server.join();
  }

  /** Where it listens. */
  public URI address() {
    return server.getURI();
  }

  /** Ends it. */
  public void stop() throws Exception {
    server.stop();
    container.close();
  }
}
