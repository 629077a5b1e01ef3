package io.streamforge.runtime.task;

import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.Serde;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A query on its way to the task that owns the key. Thread-safe. */
public final class StateRequest {
  private final String node;
  private final String state;
  private final Object key;
  private final long hash;
  private final @Nullable Serde<Object> form;
  private final CompletableFuture<StateAnswer> answer = new CompletableFuture<>();

  /** Where it waits; null before and where it was refused. */
  private volatile @Nullable TaskQueries queue;

  /**
   * Not asked yet.
   *
   * @param key nobody else has it
   * @param form how the answer is written; null: it is an object that nobody changes
   */
  public StateRequest(
      String node, String state, Object key, long hash, @Nullable Serde<Object> form) {
    this.node = node;
    this.state = state;
    this.key = key;
    this.hash = hash;
    this.form = form;
  }

  /** Name of the node. */
  public String node() {
    return node;
  }

  /**
   * Completed by the task's thread, so nothing slow may hang on it: with what the state held, or
   * with a {@link StreamForgeException} that says why there is no answer.
   */
  public CompletableFuture<StateAnswer> answer() {
    return answer;
  }

  /** Nobody waits for the answer any more. */
  public void withdraw() {
    answer.cancel(false);
    TaskQueries waitsIn = queue;
    if (waitsIn != null) {
      waitsIn.forget(this);
    }
  }

  /** Hash of the key. */
  public long hash() {
    return hash;
  }

  String state() {
    return state;
  }

  Object key() {
    return key;
  }

  @Nullable Serde<Object> form() {
    return form;
  }

  void waitsIn(TaskQueries newQueue) {
    queue = newQueue;
  }

  void fail(StreamForgeException reason) {
    answer.completeExceptionally(reason);
  }
}
