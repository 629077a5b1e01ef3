package io.streamforge.testkit.chaos;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What goes wrong with the storage, beside the kills. */
public enum ChaosFault {
  /** The disk of the checkpoints, and that of an output, get full and are freed again. */
  DISK_FULL,
  /** The disk of the checkpoints is read-only for a while. */
  READ_ONLY,
  /** The newest checkpoint is cut off, or has a flipped bit, when the job starts again. */
  BIT_FLIPS,
  /** Checkpoints are in S3, whose server fails at random, and for a while with every request. */
  S3;

  /** Whether the checkpoints are on a disk that is mounted for it. */
  boolean needsMount() {
    return this == DISK_FULL || this == READ_ONLY;
  }

  private String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Those of a list such as {@code disk-full,s3}; none of an empty one.
   *
   * @throws IllegalArgumentException when it names something else
   */
  static Set<ChaosFault> parse(String list) {
    EnumSet<ChaosFault> faults = EnumSet.noneOf(ChaosFault.class);
    for (String id : list.isBlank() ? new String[0] : list.split(",")) {
      faults.add(
          Arrays.stream(values())
              .filter(fault -> fault.id().equals(id.strip()))
              .findFirst()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "there is no fault '"
                              + id
                              + "'; there are "
                              + Arrays.stream(values())
                                  .map(ChaosFault::id)
                                  .collect(Collectors.joining(", ")))));
    }
    return faults;
  }
}
