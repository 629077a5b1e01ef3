package io.streamforge.runtime.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.StreamForgeException;
import io.streamforge.operator.Values;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TaskQueriesTest {
  private static final Serde<Object> LONGS = Values.cast(Serdes.longs());
  private static final Serde<Object> STRINGS = Values.cast(Serdes.string());

  private final Mailbox mailbox = new Mailbox();
  private final AtomicInteger wakeUps = new AtomicInteger();
  private final List<Object> read = new ArrayList<>();

  /** The state of a key is the key itself. */
  private final TaskQueries queries =
      new TaskQueries(
          "job",
          "1[0]",
          mailbox,
          request -> {
            read.add(request.key());
            return request.key();
          });

  TaskQueriesTest() {
    mailbox.connect(wakeUps::incrementAndGet);
  }

  private static StateRequest request(long key) {
    return new StateRequest("node", "state", key, 0, LONGS);
  }

  private StateRequest ask(long key) {
    StateRequest request = request(key);
    queries.ask(request);
    return request;
  }

  private List<StateRequest> askMany(int count) {
    List<StateRequest> requests = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      requests.add(ask(i));
    }
    return requests;
  }

  /** As a step of the task does; whether it had a letter. */
  private boolean step() {
    boolean any = mailbox.drain();
    if (queries.due()) {
      queries.answer();
    }
    return any;
  }

  private static long answered(List<StateRequest> requests) {
    return requests.stream().filter(request -> request.answer().isDone()).count();
  }

  private static ErrorCode failure(StateRequest request) {
    assertThat(request.answer()).isDone();
    try {
      throw new AssertionError("answered: " + request.answer().join());
    } catch (CompletionException e) {
      return ((StreamForgeException) e.getCause()).code();
    }
  }

  @Test
  void nothingIsReadBeforeTheTaskComesToIt() {
    StateRequest request = ask(7);

    assertThat(read).isEmpty();
    assertThat(request.answer()).isNotDone();

    step();
    assertThat(request.answer().join().value()).isEqualTo(7L);
  }

  @Test
  void severalRequestsSendOneLetter() {
    List<StateRequest> requests = askMany(5);

    assertThat(wakeUps).hasValue(1);
    step();
    assertThat(answered(requests)).isEqualTo(5);
    ask(1);
    assertThat(wakeUps).hasValue(2);
  }

  @Test
  void taskGoesOnAfterSomeAnswersAndIsCalledAgainForTheRest() {
    int many = 2 * TaskQueries.PER_STEP + 3;
    List<StateRequest> requests = askMany(many);

    step();
    assertThat(answered(requests)).isEqualTo(TaskQueries.PER_STEP);
    assertThat(wakeUps).hasValue(2);
    step();
    assertThat(answered(requests)).isEqualTo(2 * TaskQueries.PER_STEP);
    step();
    assertThat(answered(requests)).isEqualTo(many);
    assertThat(step()).isFalse();
    assertThat(read).isSorted();
  }

  @Test
  void taskGoesOnAfterSomeBytes() {
    String large = "x".repeat(TaskQueries.BYTES_PER_STEP / 4);
    List<StateRequest> requests = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      StateRequest request = new StateRequest("node", "state", large, 0, STRINGS);
      queries.ask(request);
      requests.add(request);
    }

    step();
    assertThat(answered(requests)).isEqualTo(4);
    step();
    assertThat(answered(requests)).isEqualTo(6);
  }

  @Test
  void requestBeyondTheLimitIsRefusedUntilOthersAreAnswered() {
    List<StateRequest> requests = askMany(TaskQueries.MAX_WAITING);
    StateRequest refused = ask(-1);

    assertThatThrownBy(() -> refused.answer().join())
        .hasMessageContaining("1024 queries are waiting for the task already")
        .hasMessageContaining("node 'node', task 1[0]");
    assertThat(failure(refused)).isEqualTo(ErrorCode.QUERY_UNANSWERED);
    assertThat(answered(requests)).isZero();

    step();
    StateRequest next = ask(-2);
    for (int i = 0; i < TaskQueries.MAX_WAITING; i += TaskQueries.PER_STEP) {
      step();
    }
    assertThat(next.answer().join().value()).isEqualTo(-2L);
    assertThat(answered(requests)).isEqualTo(TaskQueries.MAX_WAITING);
  }

  @Test
  void requestThatIsWithdrawnMakesRoomAndIsNotRead() {
    List<StateRequest> requests = askMany(TaskQueries.MAX_WAITING);
    requests.get(0).withdraw();
    requests.get(0).withdraw();
    ask(-1);
    assertThat(failure(ask(-2))).isEqualTo(ErrorCode.QUERY_UNANSWERED);

    step();
    assertThat(read).startsWith(1L, 2L).doesNotContain(0L);
  }

  @Test
  void whatThrowsFailsItsQueryOnly() {
    TaskQueries failing =
        new TaskQueries(
            "job",
            "1[0]",
            mailbox,
            request -> {
              if (request.key().equals(1L)) {
                throw new StackOverflowError();
              }
              return request.key().equals(2L) ? "no long" : request.key();
            });
    List<StateRequest> requests = List.of(request(1), request(2), request(3));
    requests.forEach(failing::ask);
    mailbox.drain();
    failing.answer();

    assertThat(failure(requests.get(0))).isEqualTo(ErrorCode.FUNCTION_FAILED);
    assertThat(failure(requests.get(1))).isEqualTo(ErrorCode.FUNCTION_FAILED);
    assertThat(requests.get(2).answer().join().value()).isEqualTo(3L);
  }

  @Test
  void answerThatBreaksOffLeavesNothingInTheNext() {
    Serde<Object> breaksOff =
        Values.cast(
            Serdes.<Long, String>mapped(
                "odd",
                Serdes.string(),
                number -> {
                  if (number == 1) {
                    throw new IllegalStateException("odd");
                  }
                  return "n" + number;
                },
                text -> Long.parseLong(text.substring(1))));
    Serde<Object> pairs = Values.cast(Serdes.list(breaksOff));
    TaskQueries lists =
        new TaskQueries("job", "1[0]", mailbox, request -> List.of(0L, (Long) request.key()));
    StateRequest first = new StateRequest("node", "state", 1L, 0, pairs);
    StateRequest second = new StateRequest("node", "state", 2L, 0, pairs);
    lists.ask(first);
    lists.ask(second);
    mailbox.drain();
    lists.answer();

    assertThat(failure(first)).isEqualTo(ErrorCode.SERDE_FAILED);
    assertThat(second.answer().join().value()).isEqualTo(List.of(0L, 2L));
  }

  @Test
  void endOfTheTaskFailsWhatWaitsAndWhatComesLater() {
    StateRequest waits = ask(1);
    queries.close();
    StateRequest later = ask(2);

    assertThat(failure(waits)).isEqualTo(ErrorCode.JOB_STOPPED);
    assertThat(failure(later)).isEqualTo(ErrorCode.JOB_STOPPED);
    assertThat(read).isEmpty();
  }

  @Test
  void eachRequestIsSettledWhileThreadsAskAndTheTaskEnds() throws Exception {
    for (int round = 0; round < 200; round++) {
      Mailbox own = new Mailbox();
      TaskQueries raced = new TaskQueries("job", "1[0]", own, StateRequest::key);
      int threads = 3;
      int each = 40;
      List<StateRequest> all = Collections.synchronizedList(new ArrayList<>());
      CountDownLatch ready = new CountDownLatch(threads + 1);
      AtomicBoolean over = new AtomicBoolean();
      List<Thread> asking = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        Thread thread =
            new Thread(
                () -> {
                  ready.countDown();
                  for (int i = 0; i < each; i++) {
                    StateRequest request = request(i);
                    raced.ask(request);
                    all.add(request);
                    if (i % 5 == 0) {
                      request.withdraw();
                    }
                  }
                });
        asking.add(thread);
        thread.start();
      }
      int closing = round % 2 == 0 ? each : Integer.MAX_VALUE;
      Thread owner =
          new Thread(
              () -> {
                ready.countDown();
                for (int steps = 0; steps < closing && !over.get(); steps++) {
                  own.drain();
                  if (raced.due()) {
                    raced.answer();
                  }
                }
                if (closing == each) {
                  raced.close();
                } else {
                  while (own.drain()) {
                    if (raced.due()) {
                      raced.answer();
                    }
                  }
                }
              });
      owner.start();
      for (Thread thread : asking) {
        thread.join();
      }
      over.set(true);
      owner.join();

      assertThat(all).hasSize(threads * each);
      assertThat(answered(all)).as("round %d", round).isEqualTo(threads * each);
    }
  }
}
