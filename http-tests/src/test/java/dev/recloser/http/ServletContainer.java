package dev.recloser.http;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.eclipse.jetty.ee11.servlet.FilterHolder;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** Servlet containers on loopback, with a filter before a servlet, also when that goes on later. */
enum ServletContainer {
  JETTY {
    @Override
    Running start(HttpServlet servlet, Filter filter) throws Exception {
      Server server = new Server();
      ServerConnector connector = new ServerConnector(server);
      connector.setHost(LOOPBACK);
      server.addConnector(connector);
      ServletContextHandler context = new ServletContextHandler();
      ServletHolder servlets = new ServletHolder(servlet);
      servlets.setAsyncSupported(true);
      context.addServlet(servlets, "/*");
      FilterHolder filters = new FilterHolder(filter);
      filters.setAsyncSupported(true);
      context.addFilter(filters, "/*", EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
      server.setHandler(context);
      server.start();
      return new Running(connector.getLocalPort(), server::stop);
    }
  },

  TOMCAT {
    @Override
    Running start(HttpServlet servlet, Filter filter) throws Exception {
      Path base = Files.createTempDirectory("tomcat");
      Tomcat server = new Tomcat();
      server.setBaseDir(base.toString());
      Connector connector = new Connector();
      connector.setPort(0);
      connector.setProperty("address", LOOPBACK);
      server.setConnector(connector);
      StandardContext context = (StandardContext) server.addContext("", base.toString());
      context.setClearReferencesThreadLocals(false); // It would ask for options of the JVM.
      context.setClearReferencesRmiTargets(false);
      Tomcat.addServlet(context, "servlet", servlet).setAsyncSupported(true);
      context.addServletMapping("/*", "servlet");
      FilterDef definition = new FilterDef();
      definition.setFilterName("filter");
      definition.setFilter(filter);
      definition.setAsyncSupported("true");
      context.addFilterDef(definition);
      FilterMap map = new FilterMap();
      map.setFilterName("filter");
      map.addURLPattern("/*");
      map.setDispatcher(DispatcherType.REQUEST.name());
      map.setDispatcher(DispatcherType.ASYNC.name());
      context.addFilterMap(map);
      server.start();
      return new Running(
          connector.getLocalPort(),
          () -> {
            server.stop();
            server.destroy();
          });
    }
  };

  private static final String LOOPBACK = InetAddress.getLoopbackAddress().getHostAddress();

  abstract Running start(HttpServlet servlet, Filter filter) throws Exception;

  /** A container that runs. */
  record Running(int port, Stopping stopping) {
    void stop() throws Exception {
      stopping.stop();
    }
  }

  /** How to stop one. */
  interface Stopping {
    void stop() throws Exception;
  }
}
