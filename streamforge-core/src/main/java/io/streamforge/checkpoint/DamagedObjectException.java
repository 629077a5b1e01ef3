package io.streamforge.checkpoint;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import org.jspecify.annotations.Nullable;

/** An object of a checkpoint is missing, torn or altered; {@link #object} names it. */
public final class DamagedObjectException extends StreamForgeException {
  private static final long serialVersionUID = 1L;

  private final String object;

  /**
   * An object that is damaged.
   *
   * @param location of the storage
   * @param object name of the object
   * @param what is wrong, as the rest of a sentence that begins with the object
   */
  public DamagedObjectException(
      String location, String object, String what, @Nullable Throwable cause) {
    super(
        ErrorCode.CHECKPOINT_DAMAGED,
        ErrorContext.position(location + "/" + object),
        CheckpointErrors.object(location, object) + " " + what,
        ErrorCode.CHECKPOINT_DAMAGED.remedy(),
        cause);
    this.object = object;
  }

  /** Name of the object. */
  public String object() {
    return object;
  }
}
