package dev.recloser.http;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A server on loopback that speaks just enough HTTP/1.1 to be as bad as real ones: it resets, hangs
 * before or in the answer, breaks off, or answers with what it was told. One request a connection.
 */
final class RawServer implements AutoCloseable {
  private final ServerSocket listening;
  private final Behaviour behaviour;
  private final ExecutorService threads = Executors.newCachedThreadPool(RawServer::daemon);
  private final List<Socket> connections = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final CountDownLatch released = new CountDownLatch(1);
  private final CountDownLatch hanging = new CountDownLatch(1);
  private final CountDownLatch left = new CountDownLatch(1);

  private RawServer(Behaviour behaviour) throws IOException {
    this.behaviour = behaviour;
    listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  /** What it does with one request after having read it. */
  interface Behaviour {
    void serve(Exchange exchange) throws IOException;
  }

  /** One request and its connection. */
  record Exchange(RawServer server, Socket socket, String line) {
    /** Which request it is, from 1. */
    int number() {
      return server.requests.size();
    }

    /** The path that is asked for. */
    String path() {
      return line.substring(line.indexOf(' ') + 1, line.lastIndexOf(' '));
    }

    void write(String text) throws IOException {
      OutputStream out = socket.getOutputStream();
      out.write(text.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII));
      out.flush();
    }

    /** Does nothing until it is released, or the client goes. */
    void hang() throws IOException {
      server.hanging.countDown();
      server.awaitReleaseOrGone(socket);
    }

    /** Ends the connection in the way that the other side takes for a reset. */
    void reset() throws IOException {
      socket.setSoLinger(true, 0);
      socket.close();
    }
  }

  static RawServer start(Behaviour behaviour) throws IOException {
    return new RawServer(behaviour);
  }

  /** One that answers with a status, headers and a body. */
  static RawServer answering(int status, String body, String... headers) throws IOException {
    return start(exchange -> exchange.write(answer(status, body, headers)));
  }

  /** A whole answer. */
  static String answer(int status, String body, String... headers) {
    return head(status, body.length(), headers) + body;
  }

  /** The head of an answer. */
  static String head(int status, int length, String... headers) {
    StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " Status\n");
    for (String header : headers) {
      head.append(header).append('\n');
    }
    return head + "Connection: close\nContent-Length: " + length + "\n\n";
  }

  /** A place where nobody listens. */
  static URI refusing() throws IOException {
    try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return uri(gone);
    }
  }

  URI uri() {
    return uri(listening);
  }

  String origin() {
    return "http://127.0.0.1:" + listening.getLocalPort();
  }

  /** The first lines of the requests so far. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  /** The bodies of the requests so far, of those that say how long theirs is. */
  List<String> bodies() {
    return List.copyOf(bodies);
  }

  void awaitHanging() {
    await(hanging, "a request that hangs");
  }

  /** Waits until a client has left a request that hangs. */
  void awaitLeft() {
    await(left, "a client that leaves");
  }

  /** Lets what hangs go on. */
  void release() {
    released.countDown();
  }

  @Override
  public void close() throws IOException {
    release();
    listening.close();
    for (Socket connection : connections) {
      connection.close();
    }
    threads.shutdownNow();
  }

  static void await(CountDownLatch latch, String what) {
    try {
      if (!latch.await(30, TimeUnit.SECONDS)) {
        throw new AssertionError("waited 30 s for " + what);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void accept() {
    try {
      for (; ; ) {
        Socket socket = listening.accept();
        connections.add(socket);
        threads.execute(() -> serve(socket));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      String line = read(socket, bodies);
      requests.add(line);
      behaviour.serve(new Exchange(this, socket, line));
      if (!socket.isClosed()) {
        socket.shutdownOutput();
      }
    } catch (IOException e) {
      // The client has gone.
    }
  }

  /** Reads a whole request, since closing with something unread is a reset. */
  private static String read(Socket socket, List<String> bodies) throws IOException {
    InputStream in = new BufferedInputStream(socket.getInputStream());
    String first = line(in);
    int length = 0;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
        length = Integer.parseInt(line.substring(15).strip());
      }
    }
    bodies.add(new String(in.readNBytes(length), StandardCharsets.UTF_8));
    return first;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the client has gone");
      } else if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  private void awaitReleaseOrGone(Socket socket) throws IOException {
    socket.setSoTimeout(10);
    while (released.getCount() > 0) {
      if (isGone(socket)) {
        left.countDown();
        throw new IOException("the client has gone");
      }
    }
  }

  private static boolean isGone(Socket socket) {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException nothingCame) {
      return false;
    } catch (IOException gone) {
      return true;
    }
  }

  private static URI uri(ServerSocket socket) {
    return URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/stock/17");
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "raw-server");
    thread.setDaemon(true);
    return thread;
  }
}
