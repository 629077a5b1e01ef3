package io.streamforge.node.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.checkpoint.LogEntry;
import io.streamforge.node.state.ShopJob;
import io.streamforge.node.state.ShopJob.Card;
import io.streamforge.node.state.ShopJob.Cash;
import io.streamforge.node.state.ShopJob.Order;
import io.streamforge.node.state.ShopJob.Status;
import io.streamforge.node.state.StoredCheckpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code streamforge state} on the checkpoints and savepoints of a job with all kinds of state. */
class StateCommandTest {
  @TempDir private static Path directory;
  private static Path checkpoints;
  private static Path savepoint;
  private static final String ENTRY = "log/0000000000000000002";

  @BeforeAll
  static void takeCheckpoints() throws Exception {
    try (ShopJob job = ShopJob.all(directory)) {
      checkpoints = job.checkpoints();
      savepoint = job.savepoint(1);
      job.send("ann", new Order("tea", 300, Status.NEW, new Card("42")), 1_000);
      job.send("ann", new Order("tea", 300, Status.PAID, new Cash()), 2_000);
      job.send("bob", new Order("gone", 100, Status.NEW, new Cash()), 70_000);
      job.checkpoint();
      job.send("ann", new Order("milk", 80, Status.NEW, null), 80_000);
      job.send("cat", new Order("milk", 80, Status.NEW, null), 81_000);
      job.checkpoint();
    }
  }

  private static long createdMillis(Path location, int which) throws IOException {
    try (StoredCheckpoints stored =
        StoredCheckpoints.open(location.toString(), StateCommandTest.class.getClassLoader())) {
      LogEntry.Published checkpoint = stored.all().get(which);
      return checkpoint.createdMillis();
    }
  }

  private static Cli.Result ok(String out) {
    return new Cli.Result(0, out, "");
  }

  /** All files of a directory, with the times of their last changes. */
  private static Map<String, String> files(Path root) throws IOException {
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.toList()) {
        found.put(file.toString(), Files.getLastModifiedTime(file).toString());
      }
    }
    return found;
  }

  @Test
  void lsListsCheckpointsWithAgesAndSizes() throws Exception {
    long now = createdMillis(checkpoints, 1) + 200_000;
    String shown = StateCli.run(now, "state", "ls", checkpoints.toString()).out();
    assertThat(shown.replaceAll("3 min 2[0-9] s", "3 min 20 s"))
        .isEqualTo(
            """
            checkpoint         age    new   full  nodes
                     2  3 min 20 s  360 B  360 B  count, counts, orders, per-minute, profile, visits
                     3  3 min 20 s  413 B  720 B  count, counts, orders, per-minute, profile, visits
            job 'shop' in %s: 2 checkpoints
            """
                .formatted(checkpoints));
  }

  @Test
  void lsListsASavepoint() throws Exception {
    long now = createdMillis(savepoint, 0) + 42_000;
    assertThat(StateCli.run(now, "state", "ls", savepoint.toString()))
        .isEqualTo(
            ok(
                """
                checkpoint   age    new   full  nodes
                         2  42 s  360 B  360 B  count, counts, orders, per-minute, profile, visits
                job 'shop' in %s: 1 checkpoint
                """
                    .formatted(savepoint)));
  }

  @Test
  void lsAsJsonIsOneObject() throws Exception {
    long created = createdMillis(savepoint, 0);
    assertThat(StateCli.run(created + 5, "state", "ls", "--json", savepoint.toString()))
        .isEqualTo(
            ok(
                """
                {"job":"shop","location":"%s","checkpoints":[{"number":2,"position":2,\
                "createdMillis":%d,"ageMillis":5,"newBytes":360,"fullBytes":360,"keyGroups":4,\
                "nodes":["count","counts","orders","per-minute","profile","visits"]}],\
                "unusable":[]}
                """
                    .formatted(savepoint, created)));
  }

  @Test
  void lsOfACheckpointListsWhatItHolds() {
    assertThat(StateCli.run("state", "ls", checkpoints + "@2"))
        .isEqualTo(
            ok(
                """
                node        state         slices  size  entries
                count       aggregate             43 B  string → 1 long of count
                counts                                  2 writers, 1 committable
                orders                                  1 split
                per-minute  slices             1  30 B  string → 1 long of sum
                profile     cents                 43 B  string → 1 long of long
                profile     last                  40 B  string → Order{item: string?, cents: int, status: Status?, payment: Payment?}
                profile     payments              50 B  string → list<Payment>
                profile     statuses              45 B  string → map<Status, int>
                profile     timers/event          53 B  string → 1 long of timers
                visits      sessions              56 B  string → Sessions{boundMillis: long, sessions: list<Session>}
                """));
  }

  @Test
  void verifyReadsAllAndFindsNothing() {
    assertThat(StateCli.run("state", "verify", checkpoints.toString()))
        .isEqualTo(
            ok(
                """
                2 entries of the log, 2 checkpoints, 8 objects of 1.1 KiB: no damage
                """));
    Cli.Result withProgress = StateCli.run("state", "verify", "--progress", checkpoints.toString());
    assertThat(withProgress.err()).contains("1 of 8 objects read, 143 B of 1.1 KiB\n");
  }

  @Test
  void verifyNamesDamageAndEndsWithOne(@TempDir Path copy) throws Exception {
    copy(checkpoints, copy);
    Path object = copy.resolve("data").resolve(objectsOf(copy).get(0));
    byte[] bytes = Files.readAllBytes(object);
    bytes[bytes.length / 2] ^= 1;
    Files.write(object, bytes);

    String damage =
        "the object '%s' in %s is altered in the block at byte 25: its checksum is wrong"
            .formatted("data/" + object.getFileName(), copy);
    assertThat(StateCli.run("state", "verify", copy.toString()))
        .isEqualTo(
            new Cli.Result(
                1,
                """
                damaged: %s
                    needed by checkpoint 2, 3
                2 entries of the log, 2 checkpoints, 8 objects of 1.0 KiB: 1 damage
                """
                    .formatted(damage),
                ""));
    assertThat(StateCli.run("state", "verify", "--json", copy + "@3").out())
        .isEqualTo(
            """
            {"entries":2,"checkpoints":[3],"objects":8,"bytes":1070,"unneeded":0,"damages":\
            [{"object":"data/%s","what":"%s","checkpoints":[3]}]}
            """
                .formatted(object.getFileName(), damage));
    Files.delete(object);
    String missing =
        "cannot be used: the object 'data/%s' in %s is missing"
            .formatted(object.getFileName(), copy);
    assertThat(StateCli.run("state", "ls", copy.toString()).out())
        .endsWith("checkpoint 3 " + missing + "\ncheckpoint 2 " + missing + "\n");
  }

  @Test
  void damageOfTheFormatIsNamedToo(@TempDir Path copy) throws Exception {
    copy(checkpoints, copy);
    Files.write(copy.resolve("format"), new byte[] {1, 2, 3});

    Cli.Result result = StateCli.run("state", "verify", copy.toString());

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out()).startsWith("damaged: the object 'format' in " + copy + " ends at");
  }

  private static List<String> objectsOf(Path root) throws IOException {
    try (Stream<Path> files = Files.list(root.resolve("data"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        Files.createDirectories(target.getParent());
        Files.copy(file, target);
      }
    }
  }

  @Test
  void errorsSayWhatIsThere(@TempDir Path empty) throws Exception {
    Path half = Files.createDirectory(empty.resolve("half"));
    Files.createDirectory(half.resolve("log"));
    Files.copy(checkpoints.resolve(ENTRY), half.resolve(ENTRY));

    assertFails(
        1, "STORAGE_UNAVAILABLE: there is no directory " + empty + "/x", "ls", empty + "/x");
    assertFails(
        2, "CHECKPOINT_INCOMPATIBLE: there are no checkpoints in " + empty, "ls", empty.toString());
    assertFails(
        1,
        "CHECKPOINT_DAMAGED: the checkpoints in " + half + " are half deleted: the object 'format'",
        "verify",
        half.toString());
    assertFails(
        2,
        "there is no checkpoint 7 in " + checkpoints + "; there are 2, 3\n",
        "ls",
        checkpoints + "@7");
    assertFails(
        2,
        "CONFIG_INVALID: there is no storage for the location 's3://bucket/job'",
        "ls",
        "s3://bucket/job@3");
    Cli.Result nothing = StateCli.run("state");
    assertThat(nothing.code()).isEqualTo(2);
    assertThat(nothing.err()).startsWith("Missing command: ls, verify");
  }

  private static void assertFails(int code, String error, String... arguments) {
    List<String> line = new ArrayList<>(List.of("state"));
    line.addAll(List.of(arguments));
    Cli.Result result = StateCli.run(line.toArray(new String[0]));
    assertThat(result.err()).startsWith("error: " + error);
    assertThat(result.code()).isEqualTo(code);
    assertThat(result.out()).isEmpty();
  }

  @Test
  void nothingIsChanged() throws Exception {
    Map<String, String> before = files(directory);
    StateCli.run("state", "ls", checkpoints.toString());
    StateCli.run("state", "verify", checkpoints.toString());
    assertThat(files(directory)).isEqualTo(before);
  }
}
