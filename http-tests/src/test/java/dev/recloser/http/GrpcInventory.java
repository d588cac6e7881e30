package dev.recloser.http;

import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A gRPC server on loopback that ends calls as their message tells it: with a status, perhaps with
 * a {@code pushback}; {@code late} after headers and a message; {@code hang}, {@code stream}. A
 * message in parts, with commas between them, has one for each attempt.
 */
final class GrpcInventory implements AutoCloseable {
  static final MethodDescriptor<String, String> GET = method("Get", MethodType.UNARY);
  static final MethodDescriptor<String, String> WATCH =
      method("Watch", MethodType.SERVER_STREAMING);

  static final MethodDescriptor<String, String> COUNT =
      method("Count", MethodType.CLIENT_STREAMING);

  private static final Metadata.Key<String> PUSHBACK =
      Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER);

  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final CountDownLatch hanging = new CountDownLatch(1);
  private final CountDownLatch left = new CountDownLatch(1);
  private final Server server;

  private GrpcInventory() throws IOException {
    server =
        NettyServerBuilder.forAddress(loopback(0))
            .addService(
                ServerServiceDefinition.builder("shop.Inventory")
                    .addMethod(GET, this::serve)
                    .addMethod(WATCH, this::serve)
                    .addMethod(COUNT, this::serve)
                    .build())
            .build()
            .start();
  }

  static GrpcInventory start() throws IOException {
    return new GrpcInventory();
  }

  ManagedChannel channel(ClientInterceptor... interceptors) {
    return NettyChannelBuilder.forAddress(loopback(server.getPort()))
        .usePlaintext()
        .intercept(interceptors)
        .build();
  }

  /** What has come so far. */
  List<String> messages() {
    return List.copyOf(messages);
  }

  void awaitHanging() {
    RawServer.await(hanging, "a call that hangs");
  }

  void awaitLeft() {
    RawServer.await(left, "a client that leaves");
  }

  @Override
  public void close() {
    try {
      server.shutdownNow().awaitTermination(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private ServerCall.Listener<String> serve(ServerCall<String, String> call, Metadata headers) {
    call.request(1);
    return new ServerCall.Listener<>() {
      @Override
      public void onMessage(String message) {
        messages.add(message);
        String[] parts = message.split(",", -1);
        end(call, parts[Math.min(messages.size(), parts.length) - 1]);
      }

      @Override
      public void onCancel() {
        left.countDown();
      }
    };
  }

  private void end(ServerCall<String, String> call, String how) {
    String[] words = how.split(" ", -1);
    boolean isStream = words[0].equals("stream");
    if (words[0].equals("hang")) {
      hanging.countDown();
      return;
    }
    Status status = isStream ? Status.OK : Status.Code.valueOf(words[0]).toStatus();
    if (status.isOk() || words[words.length - 1].equals("late")) {
      call.sendHeaders(new Metadata());
      call.sendMessage("17 left");
    }
    if (!isStream) {
      Metadata trailers = new Metadata();
      if (words.length > 2) {
        trailers.put(PUSHBACK, words[2]);
      }
      call.close(status, trailers);
    }
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  private static MethodDescriptor<String, String> method(String name, MethodType type) {
    return MethodDescriptor.<String, String>newBuilder(new Text(), new Text())
        .setFullMethodName("shop.Inventory/" + name)
        .setType(type)
        .build();
  }

  /** Messages are plain text. */
  private static final class Text implements MethodDescriptor.Marshaller<String> {
    @Override
    public InputStream stream(String value) {
      return new ByteArrayInputStream(value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String parse(InputStream stream) {
      try {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
