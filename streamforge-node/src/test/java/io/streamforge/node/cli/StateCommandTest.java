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
import java.util.stream.Collectors;
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
      job.send("bob", new Order("beer", 100, Status.NEW, new Cash()), 70_000);
      job.checkpoint();
      job.send("ann", new Order("milk", 80, Status.NEW, null), 80_000);
      job.send("cat", new Order("milk", 80, Status.NEW, null), 81_000);
      job.send("bob", new Order("gone", 0, Status.PAID, new Cash()), 130_000);
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
                     2  3 min 20 s  376 B  376 B  count, counts, orders, per-minute, profile, visits
                     3  3 min 20 s  501 B  794 B  count, counts, orders, per-minute, profile, visits
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
                         2  42 s  376 B  376 B  count, counts, orders, per-minute, profile, visits
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
                "createdMillis":%d,"ageMillis":5,"newBytes":376,"fullBytes":376,"keyGroups":4,\
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
                profile     last                  63 B  string → Order{item: string?, cents: int, status: Status?, payment: Payment?}
                profile     payments              50 B  string → list<Payment>
                profile     statuses              45 B  string → map<Status, int>
                profile     timers/event          53 B  string → 1 long of timers
                visits      sessions              49 B  string → Sessions{boundMillis: long, sessions: list<Session>}
                """));
  }

  @Test
  void verifyReadsAllAndFindsNothing() {
    assertThat(StateCli.run("state", "verify", checkpoints.toString()))
        .isEqualTo(
            ok(
                """
                2 entries of the log, 2 checkpoints, 8 objects of 1.3 KiB: no damage
                """));
    Cli.Result withProgress = StateCli.run("state", "verify", "--progress", checkpoints.toString());
    assertThat(withProgress.err()).contains("1 of 8 objects read, 177 B of 1.3 KiB\n");
  }

  @Test
  void verifyNamesDamageAndEndsWithOne(@TempDir Path copy) throws Exception {
    copy(checkpoints, copy);
    Path object = copy.resolve("data").resolve(objectsOf(copy).get(0));
    byte[] bytes = Files.readAllBytes(object);
    bytes[bytes.length / 2] ^= 1;
    Files.write(object, bytes);

    String damage =
        "the object '%s' in %s is altered in the block at byte 42: its checksum is wrong"
            .formatted("data/" + object.getFileName(), copy);
    assertThat(StateCli.run("state", "verify", copy.toString()))
        .isEqualTo(
            new Cli.Result(
                1,
                """
                damaged: %s
                    needed by checkpoint 2, 3
                2 entries of the log, 2 checkpoints, 8 objects of 1.3 KiB: 1 damage
                """
                    .formatted(damage),
                ""));
    assertThat(StateCli.run("state", "verify", "--json", copy + "@3").out())
        .isEqualTo(
            """
            {"entries":2,"checkpoints":[3],"objects":7,"bytes":1218,"unneeded":0,"damages":\
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

  @Test
  void newestThatCannotBeUsedIsPassedOver(@TempDir Path copy) throws Exception {
    copy(checkpoints, copy);
    String object =
        objectsOf(copy).stream().filter(name -> name.startsWith("1-3-")).findFirst().orElseThrow();
    Files.delete(copy.resolve("data").resolve(object));

    assertThat(StateCli.run("state", "show", copy.toString(), "count", "ann"))
        .isEqualTo(
            new Cli.Result(
                0,
                "{\"state\":\"aggregate\",\"key\":\"ann\",\"value\":2}\n",
                """
                passed over entry 3 of the log: the object 'data/%s' in %s is missing
                this is checkpoint 2
                """
                    .formatted(object, copy)));
    Cli.Result damaged = StateCli.run("state", "show", copy + "@3", nodeOf(copy, object));
    assertThat(damaged.code()).isEqualTo(1);
    assertThat(damaged.err())
        .startsWith("error: CHECKPOINT_DAMAGED: the object 'data/" + object + "' in " + copy);
  }

  /** A node of checkpoint 3 that has state in an object. */
  private static String nodeOf(Path place, String object) throws IOException {
    try (StoredCheckpoints stored =
        StoredCheckpoints.open(place.toString(), StateCommandTest.class.getClassLoader())) {
      return stored.all().get(1).manifest().nodes().stream()
          .filter(
              node ->
                  node.states().stream()
                      .flatMap(state -> state.chains().stream())
                      .flatMap(chain -> chain.pieces().stream())
                      .anyMatch(piece -> piece.object().equals("data/" + object)))
          .findFirst()
          .orElseThrow()
          .node();
    }
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

  private static String sorted(String text) {
    return text.lines().sorted().map(line -> line + "\n").collect(Collectors.joining());
  }

  /** What is shown, sorted. */
  private static String show(String... arguments) {
    List<String> line = new ArrayList<>(List.of("state", "show"));
    line.addAll(List.of(arguments));
    Cli.Result result = StateCli.run(line.toArray(new String[0]));
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    return sorted(result.out());
  }

  @Test
  void showOfACountIsItsKeysAndTheirCounts() {
    assertThat(show(checkpoints.toString(), "count"))
        .isEqualTo(
            """
            {"firstGroup":0,"endGroup":2,"firedUpToMillis":130000}
            {"firstGroup":2,"endGroup":4,"firedUpToMillis":130000}
            {"state":"aggregate","key":"ann","value":3}
            {"state":"aggregate","key":"bob","value":2}
            {"state":"aggregate","key":"cat","value":1}
            """);
  }

  @Test
  void showOfAKeyInACheckpoint() {
    String three = "{\"state\":\"aggregate\",\"key\":\"ann\",\"value\":3}\n";
    String two = "{\"state\":\"aggregate\",\"key\":\"ann\",\"value\":2}\n";
    assertThat(show(checkpoints.toString(), "count", "ann")).isEqualTo(three);
    assertThat(show(checkpoints + "@", "count", "\"ann\"")).isEqualTo(three);
    assertThat(show(checkpoints + "@2", "count", "ann")).isEqualTo(two);
    assertThat(show("--checkpoint", "2", checkpoints.toString(), "count", "ann")).isEqualTo(two);
    assertThat(show(savepoint.toString(), "count", "ann")).isEqualTo(two);
    assertThat(show(checkpoints.toString(), "profile", "bob"))
        .isEqualTo(
            """
            {"state":"cents","key":"bob","value":100}
            {"state":"payments","key":"bob","value":[{"@type":"Cash"},{"@type":"Cash"}]}
            {"state":"statuses","key":"bob","value":{"NEW":1,"PAID":1}}
            {"state":"timers/event","key":"bob","timeMillis":3670000}
            {"state":"timers/event","key":"bob","timeMillis":3730000}
            """);
  }

  @Test
  void showOfStateThatExpiresHasItsStamps(@TempDir Path elsewhere) throws Exception {
    try (ShopJob job = ShopJob.expiring(elsewhere)) {
      job.send("ann", new Order("tea", 300, Status.NEW, new Cash()), 1_000);
      job.send("ann", new Order("tea", 300, Status.PAID, new Card("42")), 2_000);
      job.checkpoint();
      assertThat(show(job.checkpoints().toString(), "recent", "ann"))
          .isEqualTo(
              """
              {"state":"cents","key":"ann","value":{"value":600,"eventTimeMillis":2000}}
              {"state":"last","key":"ann","value":{"eventTimeMillis":2000,"value":{"item":"tea","cents":300,"status":"PAID","payment":{"@type":"Card","number":"42"}}}}
              {"state":"payments","key":"ann","value":[{"eventTimeMillis":1000,"value":{"@type":"Cash"}},{"eventTimeMillis":2000,"value":{"@type":"Card","number":"42"}}]}
              {"state":"statuses","key":"ann","value":{"NEW":{"eventTimeMillis":1000,"value":1},"PAID":{"eventTimeMillis":2000,"value":1}}}
              {"state":"timers/event","key":"ann","timeMillis":3601000}
              {"state":"timers/event","key":"ann","timeMillis":3602000}
              """);
    }
  }

  @Test
  void showOfWindowsNamesTheirSlices() {
    assertThat(show(checkpoints.toString(), "per-minute"))
        .isEqualTo(
            """
            {"firstGroup":0,"endGroup":2,"firedUpToMillis":130000}
            {"firstGroup":2,"endGroup":4,"firedUpToMillis":130000}
            {"state":"slices","slice":{"startMillis":120000,"endMillis":180000},"key":"bob","value":0}
            """);
    assertThat(show(checkpoints.toString() + "@2", "per-minute"))
        .isEqualTo(
            """
            {"firstGroup":0,"endGroup":2,"firedUpToMillis":70000}
            {"firstGroup":2,"endGroup":4,"firedUpToMillis":70000}
            {"state":"slices","slice":{"startMillis":60000,"endMillis":120000},"key":"bob","value":100}
            """);
  }

  @Test
  void showOfSessionsIsThePartsOfTheirForm() {
    assertThat(show(checkpoints.toString(), "visits", "cat"))
        .isEqualTo(
            """
            {"state":"sessions","key":"cat","value":{"boundMillis":20000,"sessions":[{"startMillis":81000,"endMillis":141000,"closed":false,"shown":[],"pane":{"accumulator":{"1":1},"count":1,"countSinceFiring":1,"triggerMemory":0,"eventTimers":[],"processingTimers":[]}}]}}
            """);
  }

  @Test
  void showOfAProcessorIsAllItsStatesAndTimers() {
    assertThat(show(checkpoints.toString(), "profile"))
        .isEqualTo(
            """
            {"firstGroup":0,"endGroup":2,"firedUpToMillis":130000}
            {"firstGroup":2,"endGroup":4,"firedUpToMillis":130000}
            {"state":"cents","key":"ann","value":680}
            {"state":"cents","key":"bob","value":100}
            {"state":"cents","key":"cat","value":80}
            {"state":"last","key":"ann","value":{"item":"milk","cents":80,"status":"NEW","payment":null}}
            {"state":"last","key":"cat","value":{"item":"milk","cents":80,"status":"NEW","payment":null}}
            {"state":"payments","key":"ann","value":[{"@type":"Card","number":"42"},{"@type":"Cash"},null]}
            {"state":"payments","key":"bob","value":[{"@type":"Cash"},{"@type":"Cash"}]}
            {"state":"payments","key":"cat","value":[null]}
            {"state":"statuses","key":"ann","value":{"NEW":2,"PAID":1}}
            {"state":"statuses","key":"bob","value":{"NEW":1,"PAID":1}}
            {"state":"statuses","key":"cat","value":{"NEW":1}}
            {"state":"timers/event","key":"ann","timeMillis":3601000}
            {"state":"timers/event","key":"ann","timeMillis":3602000}
            {"state":"timers/event","key":"ann","timeMillis":3680000}
            {"state":"timers/event","key":"bob","timeMillis":3670000}
            {"state":"timers/event","key":"bob","timeMillis":3730000}
            {"state":"timers/event","key":"cat","timeMillis":3681000}
            """);
  }

  @Test
  void showOfASourceIsItsSplits() {
    assertThat(show(checkpoints.toString(), "orders"))
        .isEqualTo(
            "{\"split\":\"channel\",\"position\":6,\"watermarkMillis\":130000,\"idle\":false,\"finished\":false}\n");
  }

  @Test
  void showOfASinkIsItsWriters() {
    assertThat(show(checkpoints.toString(), "counts"))
        .isEqualTo(
            """
            {"writer":"0","marker":0,"committables":[]}
            {"writer":"1","marker":2,"committables":[{"checkpoint":3,"bytes":"MTggLnBhcnQtMS0xLnR4dC4zLnVuY29tbWl0dGVk"}]}
            """);
  }

  @Test
  void diffCountsWhatIsDifferent() {
    assertThat(StateCli.run("state", "diff", checkpoints + "@2", checkpoints + "@3"))
        .isEqualTo(
            ok(
                """
                node        state         added  removed  changed
                count       aggregate         1        0        2
                counts      writers           0        0        1
                orders      splits            0        0        1
                per-minute  slices            1        1        0
                profile     cents             1        0        1
                profile     last              1        1        1
                profile     payments          1        0        2
                profile     statuses          1        0        2
                profile     timers/event      3        0        0
                visits      sessions          1        0        2
                from checkpoint 2 of job 'shop' in %1$s
                  to checkpoint 3 of job 'shop' in %1$s
                """
                    .formatted(checkpoints)));
    assertThat(
            StateCli.run("state", "diff", "--json", checkpoints + "@2", savepoint.toString()).out())
        .isEqualTo(
            """
            {"from":{"job":"shop","location":"%s","number":2},\
            "to":{"job":"shop","location":"%s","number":2},"states":\
            [{"node":"counts","state":"writers","added":0,"removed":0,"changed":1}]}
            """
                .formatted(checkpoints, savepoint));
  }

  @Test
  void diffOfACheckpointAndItsSavepointIsNothingButCommittedOutput() {
    assertThat(StateCli.run("state", "diff", checkpoints + "@2", savepoint.toString()))
        .isEqualTo(
            ok(
                """
                node    state    added  removed  changed
                counts  writers      0        0        1
                from checkpoint 2 of job 'shop' in %s
                  to checkpoint 2 of job 'shop' in %s
                """
                    .formatted(checkpoints, savepoint)));
    assertThat(StateCli.run("state", "diff", savepoint.toString(), savepoint + "@2"))
        .isEqualTo(
            ok(
                """
                no difference
                from checkpoint 2 of job 'shop' in %1$s
                  to checkpoint 2 of job 'shop' in %1$s
                """
                    .formatted(savepoint)));
  }

  @Test
  void diffNamesTheKeys() {
    Cli.Result result =
        StateCli.run("state", "diff", "--keys", checkpoints + "@2", checkpoints + "@3");
    assertThat(sorted(result.out()))
        .isEqualTo(
            """
            {"change":"added","node":"count","state":"aggregate","key":"cat","value":1}
            {"change":"added","node":"per-minute","state":"slices","slice":{"startMillis":120000,"endMillis":180000},"key":"bob","value":0}
            {"change":"added","node":"profile","state":"cents","key":"cat","value":80}
            {"change":"added","node":"profile","state":"last","key":"cat","value":{"item":"milk","cents":80,"status":"NEW","payment":null}}
            {"change":"added","node":"profile","state":"payments","key":"cat","value":[null]}
            {"change":"added","node":"profile","state":"statuses","key":"cat","value":{"NEW":1}}
            {"change":"added","node":"profile","state":"timers/event","key":"ann","timeMillis":3680000}
            {"change":"added","node":"profile","state":"timers/event","key":"bob","timeMillis":3730000}
            {"change":"added","node":"profile","state":"timers/event","key":"cat","timeMillis":3681000}
            {"change":"added","node":"visits","state":"sessions","key":"cat","value":{"boundMillis":20000,"sessions":[{"startMillis":81000,"endMillis":141000,"closed":false,"shown":[],"pane":{"accumulator":{"1":1},"count":1,"countSinceFiring":1,"triggerMemory":0,"eventTimers":[],"processingTimers":[]}}]}}
            {"change":"changed","node":"count","state":"aggregate","key":"ann","before":2,"after":3}
            {"change":"changed","node":"count","state":"aggregate","key":"bob","before":1,"after":2}
            {"change":"changed","node":"counts","writer":"1","before":{"marker":0,"committables":[{"checkpoint":2,"bytes":"MTggLnBhcnQtMS0wLnR4dC4zLnVuY29tbWl0dGVk"}]},"after":{"marker":2,"committables":[{"checkpoint":3,"bytes":"MTggLnBhcnQtMS0xLnR4dC4zLnVuY29tbWl0dGVk"}]}}
            {"change":"changed","node":"orders","split":"channel","before":{"position":3,"watermarkMillis":70000,"idle":false,"finished":false},"after":{"position":6,"watermarkMillis":130000,"idle":false,"finished":false}}
            {"change":"changed","node":"profile","state":"cents","key":"ann","before":600,"after":680}
            {"change":"changed","node":"profile","state":"last","key":"ann","before":{"item":"tea","cents":300,"status":"PAID","payment":{"@type":"Cash"}},"after":{"item":"milk","cents":80,"status":"NEW","payment":null}}
            {"change":"changed","node":"profile","state":"payments","key":"ann","before":[{"@type":"Card","number":"42"},{"@type":"Cash"}],"after":[{"@type":"Card","number":"42"},{"@type":"Cash"},null]}
            {"change":"changed","node":"profile","state":"payments","key":"bob","before":[{"@type":"Cash"}],"after":[{"@type":"Cash"},{"@type":"Cash"}]}
            {"change":"changed","node":"profile","state":"statuses","key":"ann","before":{"NEW":1,"PAID":1},"after":{"NEW":2,"PAID":1}}
            {"change":"changed","node":"profile","state":"statuses","key":"bob","before":{"NEW":1},"after":{"NEW":1,"PAID":1}}
            {"change":"changed","node":"visits","state":"sessions","key":"ann","before":{"boundMillis":62000,"sessions":[]},"after":{"boundMillis":62000,"sessions":[{"startMillis":80000,"endMillis":140000,"closed":false,"shown":[],"pane":{"accumulator":{"1":1},"count":1,"countSinceFiring":1,"triggerMemory":0,"eventTimers":[],"processingTimers":[]}}]}}
            {"change":"changed","node":"visits","state":"sessions","key":"bob","before":{"boundMillis":-58000,"sessions":[{"startMillis":70000,"endMillis":130000,"closed":false,"shown":[],"pane":{"accumulator":{"1":1},"count":1,"countSinceFiring":1,"triggerMemory":0,"eventTimers":[],"processingTimers":[]}}]},"after":{"boundMillis":130000,"sessions":[{"startMillis":130000,"endMillis":190000,"closed":false,"shown":[],"pane":{"accumulator":{"1":1},"count":1,"countSinceFiring":1,"triggerMemory":0,"eventTimers":[],"processingTimers":[]}}]}}
            {"change":"removed","node":"per-minute","state":"slices","slice":{"startMillis":60000,"endMillis":120000},"key":"bob","value":100}
            {"change":"removed","node":"profile","state":"last","key":"bob","value":{"item":"beer","cents":100,"status":"NEW","payment":{"@type":"Cash"}}}
            """);
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
        "CONFIG_INVALID: there is no storage for the location 'gs://bucket/job'",
        "ls",
        "gs://bucket/job@3");
    assertFails(
        2,
        "there is no node 'cuont' in checkpoint 3 in "
            + checkpoints
            + "; it has count, counts, orders, per-minute, profile, visits\n",
        "show",
        checkpoints.toString(),
        "cuont");
    assertFails(
        2,
        "node 'count' has no key amn in checkpoint 2 in "
            + checkpoints
            + "; without a key all are shown, each as it is to be written\n",
        "show",
        checkpoints + "@2",
        "count",
        "amn");
    assertFails(
        2,
        "two checkpoints are named: 2 and 3\n",
        "show",
        "--checkpoint=3",
        checkpoints + "@2",
        "count");
    Cli.Result nothing = StateCli.run("state");
    assertThat(nothing.code()).isEqualTo(2);
    assertThat(nothing.err()).startsWith("Missing command: ls, verify, show, diff\n");
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
    StateCli.run("state", "show", checkpoints.toString(), "profile");
    StateCli.run("state", "diff", checkpoints.toString(), savepoint.toString());
    assertThat(files(directory)).isEqualTo(before);
  }
}
