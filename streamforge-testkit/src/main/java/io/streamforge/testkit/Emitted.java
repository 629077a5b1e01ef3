package io.streamforge.testkit;

import io.streamforge.record.Record;
import org.jspecify.annotations.Nullable;

/**
 * What an operator has emitted.
 *
 * @param output name of the output; empty for the main one
 * @param event index of the event during which it was emitted
 * @param record the record
 */
public record Emitted(String output, int event, Record<@Nullable Object, @Nullable Object> record) {
  @Override
  public String toString() {
    return "#" + event + (output.isEmpty() ? " " : " " + output + ": ") + record;
  }
}
