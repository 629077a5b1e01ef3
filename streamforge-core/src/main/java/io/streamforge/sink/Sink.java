package io.streamforge.sink;

/**
 * Where records go. A sink is a description; each task of its node opens a {@link SinkWriter}.
 *
 * @param <K> keys
 * @param <V> values
 */
public interface Sink<K, V> {
  /** Opens the writer of a task; errors found here stop the job before it reads anything. */
  SinkWriter<K, V> writer(SinkContext context) throws Exception;

  /** Whether a writer may wait for disk, network or a user's code. */
  default boolean blocking() {
    return true;
  }

  /** What {@code explain} shows, such as {@code stdout}. */
  String describe();
}
