import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.catalina.valves.AccessLogValve;

/**
 * Tomcat with a service that does what its path says, and an access log for each pattern; run from
 * source by make-logs.
 *
 * <p>Arguments: port, folder, then name and pattern of each log.
 */
final class TomcatServer {
  public static void main(String[] args) throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(args[1]);
    tomcat.setPort(Integer.parseInt(args[0]));
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("", new File(args[1]).getAbsolutePath());
    Tomcat.addServlet(context, "service", new Service());
    context.addServletMappingDecoded("/*", "service");
    for (int i = 2; i + 1 < args.length; i += 2) {
      context.getParent().getPipeline().addValve(log(args[1], args[i], args[i + 1]));
    }
    tomcat.start();
    tomcat.getServer().await();
  }

  private static AccessLogValve log(String folder, String name, String pattern) {
    AccessLogValve valve = new AccessLogValve();
    valve.setDirectory(new File(folder).getAbsolutePath());
    valve.setPrefix(name);
    valve.setSuffix(".log");
    valve.setFileDateFormat("");
    valve.setBuffered(false);
    valve.setPattern(pattern);
    return valve;
  }

  private static final class Service extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      String[] path = request.getRequestURI().split("/");
      switch (path.length > 1 ? path[1] : "") {
        case "slow" -> answer(response, 200, 400);
        case "missing" -> answer(response, 404, 5);
        case "invalid" -> answer(response, 422, 5);
        case "broken" -> answer(response, 500, 20);
        case "busy" -> answer(response, 503, 2);
        case "hang" -> answer(response, 504, 1_000);
        case "reset" -> throw new IOException("reset");
        default -> answer(response, 200, 10);
      }
    }

    private static void answer(HttpServletResponse response, int status, long millis)
        throws IOException {
      try {
        Thread.sleep(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      response.setStatus(status);
      response.getWriter().println("answer " + status);
    }
  }
}
