package io.streamforge.source;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Where records come from. A source is a description; what reads it are one {@link SplitEnumerator}
 * a run, which finds the {@link Split}s and assigns them to tasks, and one {@link SourceReader} a
 * task. A position within each split makes it restorable.
 *
 * @param <K> keys; {@code Void} where there are none
 * @param <V> values
 */
public interface Source<K, V> {
  /** Whether every split ends and none appears later. */
  boolean bounded();

  /** Opens the enumerator of a run; errors found here stop the job before it reads anything. */
  SplitEnumerator enumerator(SourceContext context) throws Exception;

  /** Opens the reader of a task. */
  SourceReader<K, V> reader(SourceContext context) throws Exception;

  /** Type of the keys; null when it is not known. */
  default @Nullable Type keyType() {
    return null;
  }

  /** Type of the values; null when it is not known. */
  default @Nullable Type valueType() {
    return null;
  }

  /**
   * Whether the records have timestamps of their own. A source without needs a timestamp extractor
   * before it can be windowed.
   */
  boolean hasTimestamps();

  /** What {@code explain} shows, such as {@code lines of access.log}. */
  String describe();
}
