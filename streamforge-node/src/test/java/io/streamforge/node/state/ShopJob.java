package io.streamforge.node.state;

import static org.awaitility.Awaitility.await;

import io.streamforge.Stream;
import io.streamforge.Topology;
import io.streamforge.TopologyBuilder;
import io.streamforge.config.CheckpointConfig;
import io.streamforge.config.EngineConfig;
import io.streamforge.connector.Sinks;
import io.streamforge.connector.channel.InMemoryChannel;
import io.streamforge.connector.file.FileSink;
import io.streamforge.engine.Engine;
import io.streamforge.function.Processor;
import io.streamforge.function.ProcessorContext;
import io.streamforge.record.Record;
import io.streamforge.state.ListState;
import io.streamforge.state.LongState;
import io.streamforge.state.MapState;
import io.streamforge.state.StateDeclarations;
import io.streamforge.state.TimeToLive;
import io.streamforge.state.ValueState;
import io.streamforge.time.WatermarkStrategy;
import io.streamforge.window.Windows;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A running job with state of all kinds and checkpoints in a directory, which takes one when it is
 * told to.
 */
public final class ShopJob implements AutoCloseable {
  private final InMemoryChannel<String, Order> orders = InMemoryChannel.timestamped(100);
  private final Path directory;
  private final Engine engine;
  private long sent;
  private int savepoints;

  /** How far an order has got. */
  public enum Status {
    NEW,
    PAID
  }

  /** How an order is paid. */
  public sealed interface Payment {}

  /** By card. */
  public record Card(String number) implements Payment {}

  /** In cash. */
  public record Cash() implements Payment {}

  /** What is sent. */
  public record Order(String item, int cents, Status status, Payment payment) {}

  private ShopJob(Path directory, int parallelism, boolean all, boolean expiring) {
    this.directory = directory;
    TopologyBuilder builder = Topology.builder("shop");
    Stream<String, Order> in =
        builder
            .source("orders", orders, WatermarkStrategy.<String, Order>monotonous())
            .typed(String.class, Order.class);
    in.groupByKey("customer")
        .count("count")
        .sink("counts", FileSink.lines(directory.resolve("out")));
    if (all) {
      in.groupByKey("customer-minutes")
          .window(Windows.tumbling(Duration.ofMinutes(1)))
          .sum("per-minute", Order::cents)
          .sink("minutes", Sinks.none());
      in.groupByKey("customer-visits")
          .window(Windows.session(Duration.ofMinutes(1)))
          .count("visits")
          .sink("sessions", Sinks.none());
      in.groupByKey("profiles")
          .process("profile", () -> new Profile(null))
          .sink("profiles-out", Sinks.none());
    }
    if (expiring) {
      in.groupByKey("profiles")
          .process("recent", () -> new Profile(TimeToLive.of(Duration.ofHours(1))))
          .sink("recent-out", Sinks.none());
    }
    engine =
        Engine.start(
            builder.build(),
            EngineConfig.builder()
                .parallelism(parallelism)
                .workers(1)
                .keyGroups(4)
                .checkpoints(
                    CheckpointConfig.at(checkpoints().toString()).every(Duration.ofDays(1)))
                .build());
  }

  /** State of all kinds, in two tasks. */
  public static ShopJob all(Path directory) {
    return new ShopJob(directory, 2, true, false);
  }

  /** A count in one task. */
  public static ShopJob small(Path directory) {
    return new ShopJob(directory, 1, false, false);
  }

  /** A count, and state that expires, in one task. */
  public static ShopJob expiring(Path directory) {
    return new ShopJob(directory, 1, false, true);
  }

  /** Where its checkpoints are. */
  public Path checkpoints() {
    return directory.resolve("checkpoints");
  }

  /** Where the savepoint is that was taken first, second and so on. */
  public Path savepoint(int which) {
    return directory.resolve("savepoint-" + which);
  }

  /** Sends an order, and waits until all nodes have got it, so that it is a batch of its own. */
  public void send(String customer, Order order, long timestampMillis) throws InterruptedException {
    orders.send(Record.of(customer, order, timestampMillis));
    sent++;
    await()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () ->
                engine.metrics().nodes().stream()
                    .filter(node -> node.node().matches("count|per-minute|visits|profile|recent"))
                    .allMatch(node -> node.in() == sent));
  }

  /** Takes a checkpoint behind all that was sent, and a savepoint of it; returns its number. */
  public long checkpoint() throws InterruptedException {
    return engine.savepoint(savepoint(++savepoints).toString());
  }

  @Override
  public void close() {
    engine.close();
  }

  private static final class Profile implements Processor<String, Order, String, String> {
    private final @Nullable TimeToLive timeToLive;
    private ValueState<Order> last;
    private ListState<Payment> payments;
    private MapState<Status, Integer> statuses;
    private LongState cents;

    Profile(@Nullable TimeToLive timeToLive) {
      this.timeToLive = timeToLive;
    }

    @Override
    public void states(StateDeclarations declarations) {
      StateDeclarations states =
          timeToLive == null ? declarations : declarations.expiring(timeToLive);
      last = states.value("last", Order.class);
      payments = states.list("payments", Payment.class);
      statuses = states.map("statuses", Status.class, Integer.class);
      cents = states.longValue("cents");
    }

    @Override
    public void process(String key, Order value, ProcessorContext<String, String> context) {
      last.set(value);
      payments.add(value.payment());
      Integer before = statuses.get(value.status());
      statuses.put(value.status(), before == null ? 1 : before + 1);
      cents.add(value.cents());
      context.timers().setEventTimer(context.timestampMillis() + 3_600_000);
      if (value.item().equals("gone")) {
        last.clear();
      }
    }
  }
}
