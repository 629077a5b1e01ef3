package io.streamforge.connector.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.streamforge.connector.FakeClock;
import io.streamforge.sink.CommitResult;
import io.streamforge.sink.Committable;
import io.streamforge.sink.CommittingWriter;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.WriterMarker;
import io.streamforge.sink.WriterState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A job that writes numbers into files dies, or falls asleep, at every call of the file system:
 * what readers get is each number once.
 */
class FileSinkCrashTest {
  private static final int RECORDS = 24;
  private static final int[] PARALLELISM = {2, 1, 3, 1};

  @TempDir Path directory;

  /** What a reader does with the parts that it sees. */
  enum Reader {
    LEAVES,
    /** After every single call. */
    TAKES_AT_ONCE
  }

  /** What is durable of a checkpoint. */
  private record Published(long number, int position, List<WriterState> writers) {}

  /** Another process has the job. */
  private static final class Fenced extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** A job with all its attempts, its log, and the one who reads what it writes. */
  private final class Job {
    private final FakePartDisk disk = new FakePartDisk();
    private final FileSink<Void, Integer> sink =
        FileSink.<Void, Integer>lines(directory, record -> "%03d".formatted(record.value()))
            .rollBytes(8)
            .on(disk);
    private final Map<String, String> taken = new TreeMap<>();
    private final boolean powerLoss;
    private Published published = new Published(0, 0, List.of());
    private long nextNumber = 1;
    private int owner = -1;

    Job(boolean powerLoss) {
      this.powerLoss = powerLoss;
    }

    void take() {
      Map<String, String> visible = disk.visible();
      visible.forEach(
          (name, content) -> {
            check(name, content);
            String before = taken.put(name, content);
            // Once more only when the machine forgot, and then the same.
            assertThat(before).as(name).isIn(null, powerLoss ? content : null);
            disk.take(name);
          });
    }

    private void check(String name, String content) {
      assertThat(content).as(name).matches("(\\d{3}\n)+");
      assertThat(numbers(content)).as(name).isSorted().allMatch(n -> n < published.position);
    }

    void checkAll() {
      disk.visible().forEach(this::check);
    }

    /** All numbers, each once, and those of each task in the order of its files. */
    void verify() {
      Map<String, String> all = new TreeMap<>(taken);
      disk.visible().forEach((name, content) -> assertThat(all.put(name, content)).isNull());
      assertThat(all.values().stream().flatMap(c -> numbers(c).stream()))
          .containsExactlyInAnyOrderElementsOf(IntStream.range(0, RECORDS).boxed().toList());
      Map<String, TreeMap<Integer, String>> tasks = new HashMap<>();
      all.forEach(
          (name, content) -> {
            String[] parts = name.split("[-.]");
            tasks
                .computeIfAbsent(parts[1], t -> new TreeMap<>())
                .put(Integer.parseInt(parts[2]), content);
          });
      tasks
          .values()
          .forEach(task -> assertThat(numbers(String.join("", task.values()))).isSorted());
      assertThat(disk.uncommitted()).isEmpty();
    }
  }

  private static List<Integer> numbers(String content) {
    return content.lines().map(Integer::valueOf).toList();
  }

  /** One process that runs the job. */
  private static final class Attempt {
    private final Job job;
    private final int id;
    private final int parallelism;
    private final List<CommittingWriter<Void, Integer>> writers = new ArrayList<>();
    private final List<List<Committable>> pending = new ArrayList<>();
    private final List<Long> markers = new ArrayList<>();
    private int position;

    Attempt(Job job) {
      this.job = job;
      this.id = ++job.owner;
      this.parallelism = PARALLELISM[id % PARALLELISM.length];
    }

    private SinkContext context(int task) {
      return new SinkContext(
          "job", name(id), task, parallelism, new FakeClock(), true, previousNames());
    }

    /** Every other attempt has the sink renamed. */
    private static String name(int id) {
      return "out-" + id / 2;
    }

    private List<String> previousNames() {
      return IntStream.range(0, id / 2 * 2).mapToObj(Attempt::name).distinct().toList();
    }

    private void checkOwner() {
      if (job.owner != id) {
        throw new Fenced();
      }
    }

    void start() throws Exception {
      Published from = job.published;
      List<WriterMarker> found = job.sink.fence(context(0), from.writers);
      job.sink.recover(context(0), from.writers, () -> {});
      if (job.owner == id) {
        assertThat(found).allMatch(marker -> marker.checkpoint() <= from.number);
        assertThat(job.disk.uncommitted()).isEmpty();
      }
      position = from.position;
      for (int task = 0; task < parallelism; task++) {
        String writer = Integer.toString(task);
        writers.add(job.sink.writer(context(task)));
        pending.add(new ArrayList<>());
        markers.add(
            found.stream()
                .filter(marker -> marker.writer().equals(writer))
                .mapToLong(WriterMarker::checkpoint)
                .findFirst()
                .orElse(0));
      }
    }

    /** A few records, or none, and a checkpoint; says whether there is more to do. */
    boolean round() throws Exception {
      long number = job.nextNumber++;
      int rest = number % 4 == 1 && number > 1 ? position : Math.min(RECORDS, position + 5);
      for (; position < rest; position++) {
        writers.get(position % parallelism).write(null, position, 0, null);
      }
      boolean last = position == RECORDS;
      for (int task = 0; task < parallelism; task++) {
        if (last) {
          writers.get(task).finish();
        }
        pending.get(task).addAll(writers.get(task).prepare(number));
      }
      if (number % 3 == 2 && !last) {
        return true;
      }
      checkOwner();
      List<WriterState> states = new ArrayList<>();
      for (int task = 0; task < parallelism; task++) {
        states.add(new WriterState(Integer.toString(task), markers.get(task), pending.get(task)));
      }
      job.published = new Published(number, position, states);
      if (number % 4 == 3 && !last) {
        return true;
      }
      commit();
      return !last;
    }

    private void commit() throws Exception {
      for (int task = 0; task < parallelism; task++) {
        List<Committable> committables = pending.get(task);
        while (!committables.isEmpty()) {
          checkOwner();
          CommitResult result = writers.get(task).commit(committables.get(0));
          assertThat(result).isNotInstanceOf(CommitResult.Lost.class);
          markers.set(task, committables.remove(0).checkpoint());
        }
      }
    }

    void run() throws Exception {
      start();
      goOn();
    }

    void goOn() throws Exception {
      while (position < RECORDS || job.published.position < RECORDS) {
        round();
      }
      commit();
      close();
    }

    void close() throws Exception {
      for (CommittingWriter<Void, Integer> writer : writers) {
        writer.close();
      }
    }
  }

  private static void runUntilItIsDone(Job job, long seed) throws Exception {
    while (true) {
      try {
        new Attempt(job).run();
        return;
      } catch (FakePartDisk.Died e) {
        if (job.powerLoss) {
          job.disk.loseUnforced(seed + job.owner);
        }
      }
    }
  }

  private Job dying(Reader reader, boolean powerLoss, int first, int second, boolean before)
      throws Exception {
    Job job = new Job(powerLoss);
    job.disk.trap(
        (call, isBefore) -> {
          if (!isBefore && reader == Reader.TAKES_AT_ONCE) {
            job.take();
          } else if (!isBefore) {
            job.checkAll();
          }
          if ((call == first || call == first + second) && isBefore == before) {
            throw new FakePartDisk.Died();
          }
        });
    runUntilItIsDone(job, first * 1_000L + second);
    job.verify();
    return job;
  }

  @ParameterizedTest
  @EnumSource
  void eachRecordIsReadOnceWhereverTheProcessDies(Reader reader) throws Exception {
    int calls = dying(reader, false, 0, 0, true).disk.calls();
    assertThat(calls).isGreaterThan(100);
    for (int first = 1; first <= calls; first++) {
      for (int second : new int[] {0, 1, 2, 3, 5, 8, 13, 21, 34, 55}) {
        dying(reader, false, first, second, true);
        dying(reader, false, first, second, false);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachRecordIsReadOnceWhereverTheMachineDies(Reader reader) throws Exception {
    int calls = dying(reader, true, 0, 0, true).disk.calls();
    for (int first = 1; first <= calls; first++) {
      for (int second = 0; second < 25; second++) {
        dying(reader, true, first, second, second % 2 == 0);
      }
    }
  }

  /**
   * A process sleeps in a call while another takes over and is some way into the job; then it wakes
   * up, goes on until it is told that it has lost, and the other one ends the job. The engine
   * checks the ownership of the job right before it recovers, so the sleep begins behind its claim.
   */
  @ParameterizedTest
  @EnumSource
  void aProcessThatSleepsAtAnyCallDoesNoHarmWhenItWakesUp(Reader reader) throws Exception {
    int calls = dying(reader, false, 0, 0, true).disk.calls();
    int claimed = 4;
    for (int sleepsAt = claimed; sleepsAt <= calls; sleepsAt++) {
      for (int rounds = 0; rounds < 5; rounds++) {
        sleeping(reader, sleepsAt, rounds);
      }
    }
  }

  private void sleeping(Reader reader, int sleepsAt, int rounds) throws Exception {
    Job job = new Job(false);
    Attempt sleeper = new Attempt(job);
    List<Attempt> next = new ArrayList<>();
    job.disk.trap(
        (call, isBefore) -> {
          if (!isBefore && reader == Reader.TAKES_AT_ONCE) {
            job.take();
          } else if (!isBefore) {
            job.checkAll();
          }
          if (call == sleepsAt && isBefore) {
            Attempt successor = new Attempt(job);
            next.add(successor);
            try {
              successor.start();
              for (int round = 0; round < rounds && successor.position < RECORDS; round++) {
                successor.round();
              }
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          }
        });
    try {
      sleeper.run();
    } catch (Fenced e) {
      sleeper.close();
    }
    if (!next.isEmpty()) {
      next.get(0).goOn();
    }
    // What the sleeper has prepared since is left, until the next start.
    new Attempt(job).start();
    job.verify();
  }
}
