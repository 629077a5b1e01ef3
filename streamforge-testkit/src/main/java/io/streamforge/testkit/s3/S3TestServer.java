package io.streamforge.testkit.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A server of S3 with one bucket in memory, which makes conditional writes in one step and does
 * wrong what it is told to. It knows only bodies that are sent as they are, and insists on
 * checksums, so that older servers can be expected to understand what it understands. It does not
 * verify signatures. Thread-safe.
 */
public class S3TestServer implements AutoCloseable {
  /** The only bucket. */
  public static final String BUCKET = "bucket";

  /** The only access key that it knows; any secret key goes with it. */
  public static final String ACCESS_KEY = "test-key";

  /** Kinds of requests. */
  public enum Operation {
    LIST,
    GET,
    HEAD,
    PUT,
    BEGIN,
    PART,
    COMPLETE,
    ABORT,
    DELETE
  }

  /** What goes wrong with a request. */
  public sealed interface Fault {
    /** It is refused and has no effect. */
    record Refused(int status, String code, Map<String, String> headers) implements Fault {
      /** With no headers of its own. */
      public Refused(int status, String code) {
        this(status, code, Map.of());
      }
    }

    /** It has its effect; then the connection is closed without a reply. */
    record ReplyLost() implements Fault {}

    /** It has no effect, and no reply comes. */
    record Silent() implements Fault {}

    /** Half of the reply's body comes; then the connection is closed. */
    record ReplyCut() implements Fault {}

    /** It has its effect; the reply comes so much later. */
    record Late(Duration delay) implements Fault {}
  }

  /** Draws what goes wrong with requests for which nothing is planned. Thread-safe. */
  @FunctionalInterface
  public interface Weather {
    /** Null: nothing goes wrong. */
    @Nullable Fault next();
  }

  private record Call(Operation operation, String key) {}

  private record Planned(Operation operation, Fault fault, AtomicInteger times) {}

  private record Stored(byte[] content, Map<String, String> metadata) {}

  private record Upload(String key, Map<String, String> metadata, Map<Integer, byte[]> parts) {}

  private record Reply(int status, Map<String, String> headers, byte[] body) {
    Reply(int status, String body) {
      this(status, Map.of(), body.getBytes(UTF_8));
    }
  }

  private record Request(
      Operation operation,
      String bucket,
      String key,
      Map<String, String> query,
      Map<String, String> headers,
      byte[] body) {}

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final ConcurrentSkipListMap<String, Stored> objects = new ConcurrentSkipListMap<>();
  private final Map<String, Upload> uploads = new ConcurrentHashMap<>();
  private final AtomicInteger nextUpload = new AtomicInteger();
  private final ConcurrentLinkedQueue<Planned> faults = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Call> calls = new ConcurrentLinkedQueue<>();

  private volatile Weather weather = () -> null;
  private volatile int pageSize = 3;
  private volatile boolean conditionalWrites = true;
  private volatile boolean ranges = true;

  /** Listens on a free port of this machine, until it is closed. */
  public S3TestServer() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  /** Where it listens. */
  public URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** At most so many objects come in one reply to a list, at first 3. */
  public void pageSize(int objects) {
    pageSize = objects;
  }

  /** From now on If-None-Match means nothing. */
  public void ignoreConditions() {
    conditionalWrites = false;
  }

  /** From now on Range means nothing. */
  public void ignoreRanges() {
    ranges = false;
  }

  /** What goes wrong from now on with requests for which nothing is planned. */
  public void weather(Weather next) {
    weather = next;
  }

  /** The next requests of this kind go wrong; the calls up to now are forgotten. */
  public void plan(Operation operation, int times, Fault fault) {
    calls.clear();
    faults.add(new Planned(operation, fault, new AtomicInteger(times)));
  }

  /** All further requests of this kind are refused. */
  public void refuse(Operation operation, int status, String code) {
    plan(operation, Integer.MAX_VALUE, new Fault.Refused(status, code));
  }

  /** How many requests of this kind there have been since the last fault was planned. */
  public long calls(Operation operation) {
    return calls(operation, "");
  }

  /** As {@link #calls(Operation)}, of those for objects whose keys begin so. */
  public long calls(Operation operation, String prefix) {
    return calls.stream()
        .filter(call -> call.operation == operation && call.key.startsWith(prefix))
        .count();
  }

  /** The calls up to now are forgotten. */
  public void forgetCalls() {
    calls.clear();
  }

  /** Keys of all objects, sorted. */
  public List<String> keys() {
    return List.copyOf(objects.keySet());
  }

  /**
   * What an object consists of.
   *
   * @throws NoSuchElementException when there is none
   */
  public byte[] content(String key) {
    Stored stored = objects.get(key);
    if (stored == null) {
      throw new NoSuchElementException(key);
    }
    return stored.content;
  }

  /** Puts an object there, whatever was. */
  public void put(String key, byte[] content) {
    objects.put(key, new Stored(content, Map.of()));
  }

  /** How many objects of several parts are neither complete nor abandoned. */
  public int openUploads() {
    return uploads.size();
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Request request = request(exchange);
      calls.add(new Call(request.operation, request.key));
      Fault fault = fault(request.operation);
      if (fault instanceof Fault.Silent) {
        closed.await();
      } else if (fault instanceof Fault.Refused refused) {
        Reply error = error(refused.status, refused.code);
        send(exchange, new Reply(error.status, refused.headers, error.body), false);
      } else {
        Reply reply = reply(request);
        if (fault instanceof Fault.Late late) {
          closed.await(late.delay.toNanos(), TimeUnit.NANOSECONDS);
        }
        if (!(fault instanceof Fault.ReplyLost)) {
          send(exchange, reply, fault instanceof Fault.ReplyCut);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private @Nullable Fault fault(Operation operation) {
    for (Planned planned : faults) {
      if (planned.operation == operation && planned.times.getAndDecrement() > 0) {
        return planned.fault;
      }
    }
    return weather.next();
  }

  private static void send(HttpExchange exchange, Reply reply, boolean cut) throws IOException {
    reply.headers.forEach(exchange.getResponseHeaders()::set);
    boolean hasBody = !exchange.getRequestMethod().equals("HEAD") && reply.body.length > 0;
    exchange.sendResponseHeaders(reply.status, hasBody ? reply.body.length : -1);
    if (hasBody) {
      exchange.getResponseBody().write(reply.body, 0, reply.body.length / (cut ? 2 : 1));
    }
  }

  private static Request request(HttpExchange exchange) throws IOException {
    URI uri = exchange.getRequestURI();
    Map<String, String> query = new TreeMap<>();
    if (uri.getRawQuery() != null) {
      for (String parameter : uri.getRawQuery().split("&")) {
        String[] parts = parameter.split("=", 2);
        query.put(parts[0], parts.length > 1 ? URLDecoder.decode(parts[1], UTF_8) : "");
      }
    }
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.get(0)));
    String[] path = uri.getPath().substring(1).split("/", 2);
    return new Request(
        operation(exchange.getRequestMethod(), query),
        path[0],
        path.length > 1 ? path[1] : "",
        query,
        headers,
        exchange.getRequestBody().readAllBytes());
  }

  private static Operation operation(String method, Map<String, String> query) {
    return switch (method) {
      case "GET" -> query.containsKey("list-type") ? Operation.LIST : Operation.GET;
      case "HEAD" -> Operation.HEAD;
      case "PUT" -> query.containsKey("partNumber") ? Operation.PART : Operation.PUT;
      case "DELETE" -> Operation.ABORT;
      case "POST" ->
          query.containsKey("uploads")
              ? Operation.BEGIN
              : query.containsKey("delete") ? Operation.DELETE : Operation.COMPLETE;
      default -> throw new IllegalArgumentException(method);
    };
  }

  private Reply reply(Request request) {
    Reply refused = refusal(request);
    if (refused != null) {
      return refused;
    }
    return switch (request.operation) {
      case LIST -> list(request);
      case GET -> get(request);
      case HEAD -> head(request);
      case PUT -> create(request, new Stored(request.body, metadata(request)));
      case BEGIN -> begin(request);
      case PART -> part(request);
      case COMPLETE -> complete(request);
      case ABORT ->
          uploads.remove(request.query.get("uploadId")) == null
              ? error(404, "NoSuchUpload")
              : new Reply(204, "");
      case DELETE -> delete(request);
    };
  }

  /** Null when the request is in order. */
  private static @Nullable Reply refusal(Request request) {
    String signature = request.headers.getOrDefault("Authorization", "");
    if (!signature.startsWith("AWS4-HMAC-SHA256 Credential=")) {
      return error(403, "AccessDenied");
    }
    if (!signature.startsWith("AWS4-HMAC-SHA256 Credential=" + ACCESS_KEY + "/")) {
      return error(403, "InvalidAccessKeyId");
    }
    if (!request.bucket.equals(BUCKET)) {
      return error(404, "NoSuchBucket");
    }
    String hash = request.headers.getOrDefault("x-amz-content-sha256", "");
    if (!hash.equals("UNSIGNED-PAYLOAD") && !hash.equals(hex("SHA-256", request.body))) {
      return error(400, "XAmzContentSHA256Mismatch");
    }
    boolean object = request.operation == Operation.PUT || request.operation == Operation.PART;
    if (object && !crc32c(request.body).equals(request.headers.get("x-amz-checksum-crc32c"))) {
      return error(400, "BadDigest");
    }
    if (request.operation == Operation.DELETE
        && !md5(request.body).equals(request.headers.get("Content-MD5"))) {
      return error(400, "BadDigest");
    }
    return null;
  }

  private static Map<String, String> metadata(Request request) {
    Map<String, String> metadata = new TreeMap<>();
    request.headers.forEach(
        (name, value) -> {
          if (name.toLowerCase(Locale.ROOT).startsWith("x-amz-meta-")) {
            metadata.put(name, value);
          }
        });
    return metadata;
  }

  /** The one step that matters. */
  private Reply create(Request request, Stored stored) {
    if (conditionalWrites && "*".equals(request.headers.get("If-None-Match"))) {
      if (objects.putIfAbsent(request.key, stored) != null) {
        return error(412, "PreconditionFailed");
      }
    } else {
      objects.put(request.key, stored);
    }
    return new Reply(200, Map.of("ETag", tag(stored.content)), new byte[0]);
  }

  private Reply begin(Request request) {
    String id = "upload-" + nextUpload.incrementAndGet();
    uploads.put(id, new Upload(request.key, metadata(request), new ConcurrentSkipListMap<>()));
    return new Reply(
        200,
        "<InitiateMultipartUploadResult><UploadId>"
            + id
            + "</UploadId></InitiateMultipartUploadResult>");
  }

  private Reply part(Request request) {
    Upload upload = uploads.get(request.query.get("uploadId"));
    if (upload == null) {
      return error(404, "NoSuchUpload");
    }
    upload.parts.put(Integer.parseInt(request.query.get("partNumber")), request.body);
    return new Reply(200, Map.of("ETag", tag(request.body)), new byte[0]);
  }

  private Reply complete(Request request) {
    String id = request.query.get("uploadId");
    Upload upload = uploads.get(id);
    if (upload == null) {
      return error(404, "NoSuchUpload");
    }
    String body = new String(request.body, UTF_8);
    List<String> numbers = elements("PartNumber", body);
    List<String> tags = elements("ETag", body);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (int i = 0; i < numbers.size(); i++) {
      byte[] part = upload.parts.get(i + 1);
      if (!numbers.get(i).equals("" + (i + 1))
          || part == null
          || !tags.get(i).replace("&quot;", "\"").equals(tag(part))) {
        return error(400, "InvalidPart");
      }
      content.writeBytes(part);
    }
    Reply created = create(request, new Stored(content.toByteArray(), upload.metadata));
    if (created.status != 200) {
      return created;
    }
    uploads.remove(id);
    return new Reply(
        200, "<CompleteMultipartUploadResult><ETag>x</ETag></CompleteMultipartUploadResult>");
  }

  private Reply head(Request request) {
    Stored stored = objects.get(request.key);
    return stored == null ? error(404, "NoSuchKey") : new Reply(200, stored.metadata, new byte[0]);
  }

  private Reply get(Request request) {
    Stored stored = objects.get(request.key);
    if (stored == null) {
      return error(404, "NoSuchKey");
    }
    byte[] content = stored.content;
    String range = request.headers.get("Range");
    if (range == null || !ranges) {
      return new Reply(200, stored.metadata, content);
    }
    String[] ends = range.substring("bytes=".length()).split("-");
    long from = Long.parseLong(ends[0]);
    if (from >= content.length) {
      return error(416, "InvalidRange");
    }
    int to = (int) Math.min(Long.parseLong(ends[1]) + 1, content.length);
    Map<String, String> headers = new TreeMap<>(stored.metadata);
    headers.put("Content-Range", "bytes " + from + "-" + (to - 1) + "/" + content.length);
    return new Reply(206, headers, Arrays.copyOfRange(content, (int) from, to));
  }

  private Reply list(Request request) {
    String prefix = request.query.getOrDefault("prefix", "");
    String after = request.query.getOrDefault("continuation-token", "");
    String delimiter = request.query.getOrDefault("delimiter", "");
    int max = Integer.parseInt(request.query.getOrDefault("max-keys", "1000"));
    StringBuilder contents = new StringBuilder();
    String last = "";
    int count = 0;
    boolean more = false;
    for (Map.Entry<String, Stored> object : objects.tailMap(after, false).entrySet()) {
      String key = object.getKey();
      boolean inside =
          key.startsWith(prefix)
              && (delimiter.isEmpty() || key.indexOf(delimiter, prefix.length()) < 0);
      if (inside && count == Math.min(max, pageSize)) {
        more = true;
        break;
      }
      if (inside) {
        contents.append("<Contents><Key>").append(key).append("</Key><Size>");
        contents.append(object.getValue().content.length).append("</Size></Contents>");
        last = key;
        count++;
      }
    }
    return new Reply(
        200,
        "<ListBucketResult><IsTruncated>"
            + more
            + "</IsTruncated>"
            + (more ? "<NextContinuationToken>" + last + "</NextContinuationToken>" : "")
            + contents
            + "</ListBucketResult>");
  }

  /** Names that contain {@code kept} are refused. */
  private Reply delete(Request request) {
    StringBuilder result = new StringBuilder("<DeleteResult>");
    List<String> keys = elements("Key", new String(request.body, UTF_8));
    if (keys.size() > 1_000) {
      return error(400, "MalformedXML");
    }
    for (String key : keys) {
      if (key.contains("kept")) {
        result.append("<Error><Key>").append(key).append("</Key><Code>AccessDenied</Code></Error>");
      } else {
        objects.remove(key);
      }
    }
    return new Reply(200, result.append("</DeleteResult>").toString());
  }

  private static Reply error(int status, String code) {
    return new Reply(
        status, "<Error><Code>" + code + "</Code><Message>the stub says so</Message></Error>");
  }

  private static List<String> elements(String name, String xml) {
    Pattern pattern = Pattern.compile("<" + name + ">(.*?)</" + name + ">");
    return new ArrayList<>(
        pattern.matcher(xml).results().map((MatchResult match) -> match.group(1)).toList());
  }

  private static String tag(byte[] content) {
    return "\"" + hex("MD5", content) + "\"";
  }

  private static String hex(String algorithm, byte[] content) {
    return HexFormat.of().formatHex(digest(algorithm, content));
  }

  private static String md5(byte[] content) {
    return Base64.getEncoder().encodeToString(digest("MD5", content));
  }

  private static byte[] digest(String algorithm, byte[] content) {
    try {
      return MessageDigest.getInstance(algorithm).digest(content);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String crc32c(byte[] content) {
    CRC32C checksum = new CRC32C();
    checksum.update(content);
    return Base64.getEncoder()
        .encodeToString(ByteBuffer.allocate(4).putInt((int) checksum.getValue()).array());
  }
}
