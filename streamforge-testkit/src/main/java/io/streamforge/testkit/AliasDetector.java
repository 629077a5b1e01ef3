package io.streamforge.testkit;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.operator.Output;
import io.streamforge.operator.Values;
import io.streamforge.record.Headers;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.Inferred;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds values that are changed after they have been emitted: it keeps the bytes that a value had
 * when it was emitted and compares them later. Values that cannot be serialised are not watched.
 */
final class AliasDetector {
  private static final Logger LOG = LoggerFactory.getLogger(AliasDetector.class);

  /** Values that are watched at a time. */
  private static final int WATCHED = 1_000;

  private static final Set<Class<?>> IMMUTABLE =
      Set.of(String.class, Long.class, Integer.class, Double.class, Boolean.class);

  private record Emitted(String node, Object value, Serde<Object> serde, byte[] bytes) {}

  private final String job;
  private final ArrayDeque<Emitted> watched = new ArrayDeque<>();
  private final Map<Class<?>, Optional<Serde<Object>>> serdes = new HashMap<>();
  private final Set<Class<?>> skipped = new HashSet<>();
  private final ByteWriter buffer = new ByteWriter();

  AliasDetector(String job) {
    this.job = job;
  }

  Output watching(String node, Output output) {
    return new Output() {
      @Override
      public void process(
          @Nullable Object key,
          @Nullable Object value,
          long timestampMillis,
          @Nullable Headers headers)
          throws Exception {
        emitted(node, value);
        output.process(key, value, timestampMillis, headers);
      }
    };
  }

  private void emitted(String node, @Nullable Object value) {
    if (value == null || IMMUTABLE.contains(value.getClass())) {
      return;
    }
    Optional<Serde<Object>> serde =
        serdes.computeIfAbsent(value.getClass(), AliasDetector::serdeOf);
    if (serde.isEmpty()) {
      if (skipped.add(value.getClass())) {
        LOG.info(
            "values of {} have no serde and are not watched for changes after emission",
            value.getClass().getName());
      }
      return;
    }
    byte[] bytes = bytes(serde.get(), value);
    if (bytes == null) {
      return;
    }
    if (watched.size() == WATCHED) {
      check(watched.remove());
    }
    watched.add(new Emitted(node, value, serde.get(), bytes));
  }

  private static Optional<Serde<Object>> serdeOf(Class<?> type) {
    return Serdes.infer(type) instanceof Inferred.Found found
        ? Optional.of(Values.cast(found.serde()))
        : Optional.empty();
  }

  /**
   * Null when it cannot be written, as an object that contains itself; no fault while it stays
   * here.
   */
  private byte @Nullable [] bytes(Serde<Object> serde, Object value) {
    buffer.reset();
    try {
      serde.write(value, buffer);
    } catch (StreamForgeException e) {
      return null;
    }
    return buffer.toByteArray();
  }

  /** Compares all watched values with what they were. */
  void check() {
    watched.forEach(this::check);
  }

  private void check(Emitted emitted) {
    if (!Arrays.equals(emitted.bytes, bytes(emitted.serde, emitted.value))) {
      throw new StreamForgeException(
          ErrorCode.VALUE_MUTATED,
          new ErrorContext(job, emitted.node, null, null, String.valueOf(emitted.value)),
          "a value of "
              + emitted.value.getClass().getName()
              + " was changed after the node had emitted it");
    }
  }
}
