package io.streamforge.runtime.task;

import io.streamforge.backend.EntryReader;
import io.streamforge.backend.EntrySchema;
import io.streamforge.backend.KeyedStateBackend;
import io.streamforge.backend.StoredState;
import io.streamforge.operator.TimerScope;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.serde.KeyKind;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.serde.ValueReader;
import io.streamforge.time.TimeDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The timers of a processor in checkpoints: one after the other, each the key, delimited, and the
 * time, as eight bytes. All of them each time.
 */
public final class SavedTimers {
  /** Name of the form. */
  public static final String FORM = "timers";

  private static final int CHUNK_BYTES = 1 << 16;

  private SavedTimers() {}

  /** The name by which they are found; no state that a user names is called so. */
  static String state(TimeDomain domain) {
    return "timers/" + domain.name().toLowerCase(Locale.ROOT);
  }

  /** The timers as they are now, in chunks. */
  static List<byte[]> write(TimerQueue timers, TimeDomain domain, KeyKind<Object> keyKind)
      throws Exception {
    Serde<Object> keys = Serdes.delimited(keyKind.serde());
    List<byte[]> chunks = new ArrayList<>();
    ByteWriter chunk = new ByteWriter(CHUNK_BYTES);
    timers.forEach(
        domain,
        (timeMillis, key, hash, scope) -> {
          keys.write(key, chunk);
          chunk.writeLong(timeMillis);
          if (chunk.size() >= CHUNK_BYTES) {
            chunks.add(chunk.toByteArray());
            chunk.reset();
          }
        });
    if (chunk.size() > 0) {
      chunks.add(chunk.toByteArray());
    }
    return chunks;
  }

  /** How they are written. */
  static EntrySchema schema(KeyKind<Object> keyKind) {
    return EntrySchema.of(keyKind.serde().schema(), 1, FORM);
  }

  /** Sets those of the task's key groups that a checkpoint has. */
  static void restore(TimerQueue timers, KeyedStateBackend.Opening opening) {
    for (TimeDomain domain : TimeDomain.values()) {
      StoredState stored = opening.restored().take(state(domain), null);
      if (stored != null) {
        opening.restored().fill(() -> restore(timers, domain, opening, stored));
      }
    }
  }

  private static void restore(
      TimerQueue timers, TimeDomain domain, KeyedStateBackend.Opening opening, StoredState stored) {
    EntryReader reader = new EntryReader(opening, state(domain), stored);
    reader.checkForm(FORM);
    ValueReader<Object> keys = reader.keys();
    ByteReader input = new ByteReader(new byte[0]);
    for (byte[] chunk; (chunk = stored.chunks().next()) != null; ) {
      input.reset(chunk, 0, chunk.length);
      while (input.remaining() > 0) {
        Object key = keys.read(input);
        long timeMillis = input.readLong();
        long hash = opening.keyKind().hash(key);
        if (reader.owns(hash)) {
          timers.set(domain, timeMillis, key, hash, TimerScope.KEY);
        }
      }
    }
  }
}
