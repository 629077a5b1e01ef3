package io.streamforge.runtime;

import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.memory.MemoryBackend;
import io.streamforge.operator.Output;
import io.streamforge.runtime.task.CheckpointControl;
import io.streamforge.runtime.task.CheckpointPart;

/** Where tests reach into a running job; the defaults change nothing. */
public interface RuntimeHooks {
  /** No hooks. */
  RuntimeHooks NONE = new RuntimeHooks() {};

  /** An output of a node in one task, as it is to be used. */
  default Output observed(String node, Output output) {
    return output;
  }

  /** To whom tasks and writers report of checkpoints, as it is to be used. */
  default CheckpointControl control(CheckpointControl control) {
    return control;
  }

  /** A task or writer as the coordinator of checkpoints is to see it. */
  default CheckpointPart part(CheckpointPart part) {
    return part;
  }

  /** Where keyed state lives; the job that asks closes it. */
  default KeyedStateBackend backend() {
    return new MemoryBackend();
  }
}
