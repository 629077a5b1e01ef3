package io.streamforge.backend;

import io.streamforge.window.Window;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keyed state of a task at one instant. It is written bit by bit while the task goes on, and does
 * not see what has changed since. Used by the task's thread only.
 */
public interface KeyedSnapshot {
  /** How much of a state a part holds. */
  enum Extent {
    /** All of it. */
    WHOLE,
    /** What has changed since the last confirmed snapshot, which had the state as well. */
    CHANGES,
    /** Nothing, since nothing has changed. */
    NOTHING
  }

  /**
   * A state, or one slice of it.
   *
   * @param state its name
   * @param slice that it belongs to; null for state without slices
   * @param schema what {@link EntrySchema} or the backend's own form says of the bytes
   * @param form name of the form of the bytes
   * @param entries how many the state has, about, whether they are part of the snapshot or as they
   *     were
   */
  record Part(
      String state,
      @Nullable Window slice,
      EntrySchema schema,
      String form,
      Extent extent,
      long entries) {}

  /** What it consists of: all states that are not empty, by name and slice. */
  List<Part> parts();

  /**
   * Writes up to about {@code budget} entries.
   *
   * @return whether all has been written
   */
  boolean write(int budget, SnapshotOutput output);

  /**
   * The checkpoint has been published: the next snapshot may build on this one. Only when all has
   * been written; nothing may be called afterwards.
   */
  void confirm();

  /**
   * The checkpoint has been given up, whether all was written or not; nothing may be called
   * afterwards.
   */
  void abandon();
}
