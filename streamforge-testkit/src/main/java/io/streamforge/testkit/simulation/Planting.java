package io.streamforge.testkit.simulation;

import io.streamforge.runtime.RuntimeHooks;
import io.streamforge.sink.CommittingSink;
import io.streamforge.storage.CheckpointStorage;

/** What stands around the parts of a simulated process; by default nothing. */
interface Planting extends RuntimeHooks {
  /** The storage as the process sees it. */
  default CheckpointStorage storage(CheckpointStorage storage) {
    return storage;
  }

  /** A sink as the process sees it. */
  default CommittingSink<Object, Object> sink(CommittingSink<Object, Object> sink) {
    return sink;
  }
}
