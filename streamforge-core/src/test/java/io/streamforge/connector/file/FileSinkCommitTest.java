package io.streamforge.connector.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.connector.FakeClock;
import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.record.Record;
import io.streamforge.sink.CommitResult;
import io.streamforge.sink.Committable;
import io.streamforge.sink.CommittingWriter;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.SinkWriter;
import io.streamforge.sink.WriterMarker;
import io.streamforge.sink.WriterState;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Output with checkpoints on the file system of this machine. */
class FileSinkCommitTest {
  @TempDir Path directory;

  private FileSink<Void, String> sink;

  @BeforeEach
  void makeSink() {
    sink = FileSink.lines(directory);
  }

  private static SinkContext context(String node, int task, boolean checkpointed) {
    return new SinkContext("orders", node, task, 2, new FakeClock(), checkpointed);
  }

  private CommittingWriter<Void, String> open(int task) {
    return sink.writer(context("out", task, true));
  }

  private List<WriterMarker> fence(WriterState... writers) {
    return sink.fence(context("out", 0, true), List.of(writers));
  }

  private List<WriterMarker> recover(WriterState... writers) throws Exception {
    fence(writers);
    sink.recover(context("out", 0, true), List.of(writers), () -> {});
    return markers();
  }

  private List<WriterMarker> markers() throws IOException {
    Map<String, WriterMarker> highest = new TreeMap<>();
    CommitMarker.in(List.copyOf(names()))
        .sorted(Comparator.comparing(CommitMarker::checkpoint))
        .map(marker -> new WriterMarker(Integer.toString(marker.task()), marker.checkpoint()))
        .forEach(marker -> highest.put(marker.writer(), marker));
    return List.copyOf(highest.values());
  }

  private static void write(SinkWriter<Void, String> writer, String... values) throws Exception {
    for (String value : values) {
      writer.write(null, value, 0, null);
    }
  }

  private static WriterState state(int task, long marker, List<Committable> committables) {
    return new WriterState(Integer.toString(task), marker, committables);
  }

  private List<String> names() throws IOException {
    try (var files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** What a reader sees. */
  private Map<String, String> visible() throws IOException {
    Map<String, String> visible = new TreeMap<>();
    for (String name : names()) {
      if (!name.startsWith(".")) {
        visible.put(name, Files.readString(directory.resolve(name)));
      }
    }
    return visible;
  }

  private static void assertFails(ThrowingCallable call, String... texts) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            StreamForgeException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.SINK_FAILED);
              assertThat(e.context().node()).isEqualTo("out");
              assertThat(e.getMessage()).contains(texts);
            });
  }

  @Test
  void partsAppearWhenTheyAreCommittedAndNotBefore() throws Exception {
    sink = sink.rollBytes(4);
    recover();
    CommittingWriter<Void, String> writer = open(0);
    write(writer, "one", "two", "3");
    writer.flush();
    List<Committable> committables = writer.prepare(1);
    write(writer, "later");
    writer.finish();

    assertThat(committables).extracting(Committable::checkpoint).containsExactly(1L, 1L, 1L);
    assertThat(visible()).isEmpty();

    assertThat(writer.commit(committables.get(0))).isInstanceOf(CommitResult.Committed.class);
    assertThat(visible()).containsOnlyKeys("part-0-0.txt");
    assertThat(writer.commit(committables.get(0)))
        .isInstanceOf(CommitResult.AlreadyCommitted.class);
    writer.commit(committables.get(1));
    writer.commit(committables.get(2));
    writer.close();

    assertThat(visible().values()).containsExactly("one\n", "two\n", "3\n");
    assertThat(names())
        .containsExactly(
            ".attempt-2",
            ".committed-0-1-2",
            ".sink-orders-out",
            "part-0-0.txt",
            "part-0-1.txt",
            "part-0-2.txt");
  }

  @Test
  void nothingWrittenIsNothingToCommit() throws Exception {
    recover();
    CommittingWriter<Void, String> writer = open(0);

    assertThat(writer.prepare(1)).isEmpty();
    write(writer, "a");
    assertThat(writer.prepare(2)).hasSize(1);
    assertThat(writer.prepare(3)).isEmpty();
  }

  @Test
  void withoutCheckpointsPartsAppearWhenTheyAreComplete() throws Exception {
    SinkWriter<Void, String> writer = sink.rollBytes(4).writer(context("out", 0, false));
    write(writer, "one", "2");
    assertThat(visible()).containsOnlyKeys("part-0-0.txt");
    writer.finish();
    writer.close();
    assertThat(names()).containsExactly("part-0-0.txt", "part-0-1.txt");

    SinkWriter<Void, String> failing = sink.writer(context("out", 0, false));
    write(failing, "three");
    assertThat(names()).contains(".part-0-2.txt.inprogress");
    failing.close();
    assertThat(names()).containsExactly("part-0-0.txt", "part-0-1.txt");
  }

  @Test
  void c01NothingIsVisibleOfACheckpointWhosePrepareFails() throws Exception {
    FileEncoding<Void, String> strict =
        new FileEncoding<>() {
          @Override
          public String extension() {
            return "txt";
          }

          @Override
          public RecordEncoder<Void, String> open(OutputStream output) {
            return new RecordEncoder<>() {
              private final StringBuilder rows = new StringBuilder();

              @Override
              public void encode(Record<Void, String> record) {
                rows.append(record.value()).append('\n');
              }

              @Override
              public void flush() throws IOException {
                if (rows.indexOf("bad") >= 0) {
                  throw new IOException("bad row");
                }
                output.write(rows.toString().getBytes(UTF_8));
              }
            };
          }
        };
    sink = FileSink.of(directory, strict);
    recover();
    CommittingWriter<Void, String> writer = open(0);
    write(writer, "one");
    List<Committable> first = writer.prepare(1);
    writer.commit(first.get(0));
    write(writer, "two", "bad");

    assertFails(
        () -> writer.prepare(2),
        "cannot be completed for checkpoint 2: java.io.IOException: bad row");
    writer.close();
    assertThat(visible()).isEqualTo(Map.of("part-0-0.txt", "one\n"));

    assertThat(recover(state(0, 1, List.of()))).containsExactly(new WriterMarker("0", 1));
    CommittingWriter<Void, String> again = open(0);
    write(again, "two", "mended");
    again.commit(again.prepare(3).get(0));
    assertThat(visible())
        .containsExactly(
            Map.entry("part-0-0.txt", "one\n"), Map.entry("part-0-1.txt", "two\nmended\n"));
  }

  @Test
  void c02OneCheckpointIsRestoredAnyNumberOfTimes() throws Exception {
    recover();
    CommittingWriter<Void, String> writer = open(0);
    write(writer, "one");
    WriterState state = state(0, 0, writer.prepare(1));

    assertThat(recover(state)).containsExactly(new WriterMarker("0", 1));
    assertThat(visible()).isEqualTo(Map.of("part-0-0.txt", "one\n"));
    assertThat(recover(state)).containsExactly(new WriterMarker("0", 1));
    assertThat(visible()).isEqualTo(Map.of("part-0-0.txt", "one\n"));
    Files.delete(directory.resolve("part-0-0.txt"));
    assertThat(recover(state)).containsExactly(new WriterMarker("0", 1));
    assertThat(visible()).isEmpty();
  }

  @Test
  void c10WhatDiedBeforeAnyCommitOrAfterHalfIsCommittedByTheNextStart() throws Exception {
    recover();
    List<WriterState> states = new ArrayList<>();
    for (int task = 0; task < 2; task++) {
      CommittingWriter<Void, String> writer = open(task);
      write(writer, "task " + task);
      states.add(state(task, 0, writer.prepare(1)));
      if (task == 1) {
        writer.commit(states.get(1).committables().get(0));
      }
    }
    assertThat(visible()).containsOnlyKeys("part-1-0.txt");
    Files.delete(directory.resolve("part-1-0.txt"));

    assertThat(recover(states.get(0), states.get(1)))
        .containsExactly(new WriterMarker("0", 1), new WriterMarker("1", 1));
    assertThat(visible()).isEqualTo(Map.of("part-0-0.txt", "task 0\n"));
  }

  @Test
  void c12WhatIsWrittenAfterAnOlderCheckpointIsCommittedUnderNewNames() throws Exception {
    recover();
    CommittingWriter<Void, String> writer = open(0);
    for (int checkpoint = 1; checkpoint <= 3; checkpoint++) {
      write(writer, "epoch " + checkpoint);
      writer.commit(writer.prepare(checkpoint).get(0));
    }

    assertThat(recover(state(0, 1, List.of()))).containsExactly(new WriterMarker("0", 3));
    CommittingWriter<Void, String> again = open(0);
    write(again, "again");
    assertThat(again.commit(again.prepare(4).get(0))).isInstanceOf(CommitResult.Committed.class);
    assertThat(visible()).containsEntry("part-0-3.txt", "again\n").hasSize(4);
  }

  @Test
  void namesAreNotUsedAgainWhenReadersTakePartsAway() throws Exception {
    recover();
    CommittingWriter<Void, String> writer = open(0);
    write(writer, "one");
    writer.commit(writer.prepare(1).get(0));
    Files.delete(directory.resolve("part-0-0.txt"));

    recover(state(0, 1, List.of()));
    CommittingWriter<Void, String> again = open(0);
    write(again, "two");
    again.commit(again.prepare(2).get(0));
    assertThat(visible()).containsOnlyKeys("part-0-1.txt");
  }

  @Test
  void whatALaterCheckpointPreparedStaysWhenAnOlderOneIsRestored() throws Exception {
    recover();
    CommittingWriter<Void, String> first = open(0);
    CommittingWriter<Void, String> second = open(1);
    write(first, "a");
    write(second, "b");
    List<Committable> shown = first.prepare(2);
    List<Committable> waiting = second.prepare(2);
    first.commit(shown.get(0));

    // The engine stops, since output of checkpoint 2 is visible; then 2 is repaired.
    assertThat(fence(state(0, 1, List.of()))).containsExactly(new WriterMarker("0", 2));
    recover(state(0, 0, shown), state(1, 0, waiting));
    assertThat(visible()).containsOnlyKeys("part-0-0.txt", "part-1-0.txt");
  }

  @Test
  void hiddenFilesOfOthersAreLeftAlone() throws Exception {
    Files.writeString(directory.resolve(".part-0-7.txt.inprogress"), "");
    Files.writeString(directory.resolve(".notes"), "");
    recover();

    assertThat(names()).contains(".part-0-7.txt.inprogress", ".notes");
  }

  @Test
  void outputWhoseHiddenFileIsGoneIsReportedAsLost() throws Exception {
    recover();
    CommittingWriter<Void, String> writer = open(0);
    write(writer, "one");
    List<Committable> committables = writer.prepare(1);
    Path hidden = directory.resolve(".part-0-0.txt.2.uncommitted");
    Files.delete(hidden);

    assertThat(writer.commit(committables.get(0)))
        .isEqualTo(
            new CommitResult.Lost(
                "neither "
                    + hidden
                    + " nor part-0-0.txt is there, and no marker says that it was"));
    assertFails(
        () -> recover(state(0, 0, committables)),
        "output of writer 0 for checkpoint 1 is lost: neither " + hidden,
        "Put the hidden file back from a copy");
  }

  @Test
  void outputOfAnotherLengthIsReportedAsLost() throws Exception {
    recover();
    CommittingWriter<Void, String> writer = open(0);
    write(writer, "one");
    List<Committable> committables = writer.prepare(1);
    Path hidden = directory.resolve(".part-0-0.txt.2.uncommitted");
    Files.writeString(hidden, "o");

    assertFails(() -> recover(state(0, 0, committables)), hidden + " has 1 bytes in place of 4");
    assertThat(visible()).isEmpty();
  }

  @Test
  void aFileOfSomebodyElseIsNotOverwritten() throws Exception {
    recover();
    CommittingWriter<Void, String> writer = open(0);
    write(writer, "one");
    List<Committable> committables = writer.prepare(1);
    Path foreign = Files.writeString(directory.resolve("part-0-0.txt"), "foreign");

    assertFails(
        () -> writer.commit(committables.get(0)),
        foreign + " is there already, and this sink did not write it",
        "Move it away and start the job again");
    assertThat(visible()).isEqualTo(Map.of("part-0-0.txt", "foreign"));

    Files.delete(foreign);
    recover(state(0, 0, committables));
    assertThat(visible()).isEqualTo(Map.of("part-0-0.txt", "one\n"));
  }

  @Test
  void twoSinksInOneDirectoryAreRefused() throws Exception {
    recover();

    assertThatThrownBy(() -> sink.fence(context("copy", 0, true), List.of()))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining(
            "another sink writes into " + directory + " with checkpoints: it left .sink-orders-out")
        .hasMessageContaining("Give each sink a directory of its own.")
        .hasMessageContaining("rename that file to .sink-orders-copy");
    recover();
  }

  private SinkContext renamed(String node, String... previously) {
    return new SinkContext("orders", node, 0, 2, new FakeClock(), true, List.of(previously));
  }

  @Test
  void sinkThatWasRenamedGoesOnInItsDirectory() throws Exception {
    recover();
    CommittingWriter<Void, String> writer = open(0);
    write(writer, "one");
    List<WriterState> writers = List.of(state(0, 0, writer.prepare(1)));

    SinkContext context = renamed("total", "sum", "out");
    sink.fence(context, writers);
    assertThat(names()).contains(".sink-orders-out").doesNotContain(".sink-orders-total");
    sink.recover(context, writers, () -> {});

    assertThat(visible()).isEqualTo(Map.of("part-0-0.txt", "one\n"));
    assertThat(names()).contains(".sink-orders-total").doesNotContain(".sink-orders-out");
    sink.fence(context, writers);
    sink.recover(context, writers, () -> {});
    assertThat(names()).contains(".sink-orders-total");
  }

  @Test
  void nameOfBeforeStandsUntilTheSinkHasRecovered() throws Exception {
    recover();
    sink.fence(renamed("total", "out"), List.of());

    recover();
    assertThat(names()).contains(".sink-orders-out");
  }

  @Test
  void sinkThatWasRenamedRefusesADirectoryOfAnother() throws Exception {
    recover();

    assertThatThrownBy(() -> sink.fence(renamed("total", "sum"), List.of()))
        .isInstanceOf(StreamForgeException.class)
        .hasMessageContaining("it left .sink-orders-out")
        .hasMessageContaining("say so with previously(\"total\", oldName)");
    assertThat(names()).contains(".sink-orders-out").doesNotContain(".sink-orders-total");
  }

  /** Whoever is told so forgets the committable. */
  @Test
  void whatIsCommittedOrFoundCommittedSurvivesTheDeathOfTheMachine() throws Exception {
    for (int seed = 0; seed < 20; seed++) {
      for (boolean diesFirst : new boolean[] {false, true}) {
        FakePartDisk disk = new FakePartDisk();
        sink = FileSink.<Void, String>lines(directory).on(disk);
        recover();
        CommittingWriter<Void, String> writer = open(0);
        write(writer, "one");
        Committable committable = writer.prepare(1).get(0);
        if (diesFirst) {
          dieOnceVisible(disk, () -> writer.commit(committable));
        }
        writer.commit(committable);
        disk.loseUnforced(seed);

        assertThat(disk.visible()).as("seed %d", seed).isEqualTo(Map.of("part-0-0.txt", "one\n"));
      }
    }
  }

  private static void dieOnceVisible(FakePartDisk disk, ThrowingCallable commit) {
    disk.trap(
        (call, before) -> {
          if (!disk.visible().isEmpty()) {
            throw new FakePartDisk.Died();
          }
        });
    assertThatThrownBy(commit).isInstanceOf(FakePartDisk.Died.class);
    disk.trap((call, before) -> {});
  }

  @Test
  void aFullDiskIsNamed() throws Exception {
    FakePartDisk disk = new FakePartDisk();
    sink = sink.on(disk);
    recover();
    CommittingWriter<Void, String> writer = open(0);
    write(writer, "one");
    disk.trap(
        (call, before) -> {
          if (before) {
            throw new IOException("No space left on device");
          }
        });

    assertFails(
        () -> writer.prepare(7),
        "a file in "
            + directory
            + " cannot be completed for checkpoint 7: java.io.IOException: No space left on device",
        "Check that the directory is one, that this process may write there and that the disk has"
            + " room.");
    assertFails(
        () -> recover(),
        "files in " + directory + " cannot be made visible: java.io.IOException: No space left");
  }
}
