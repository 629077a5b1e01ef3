package io.streamforge.function;

import java.io.Serializable;

/** Makes a new {@link Processor} for each task. */
@FunctionalInterface
public interface ProcessorSupplier<K, V, KOut, VOut> extends Serializable {
  /** A new instance at each call. */
  Processor<K, V, KOut, VOut> get();
}
