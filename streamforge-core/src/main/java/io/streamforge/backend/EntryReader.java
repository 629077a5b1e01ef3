package io.streamforge.backend;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.KeyGroups;
import io.streamforge.serde.KeyKind;
import io.streamforge.serde.KeyKinds;
import io.streamforge.serde.Reading;
import io.streamforge.serde.Schema;
import io.streamforge.serde.Serde;
import io.streamforge.serde.Serdes;
import io.streamforge.serde.ValueReader;
import io.streamforge.state.ColumnsDescriptor;
import io.streamforge.state.StateDescriptor;
import org.jspecify.annotations.Nullable;

/** Reads state in the form of {@link Entries} into the tables of a task. */
public final class EntryReader {
  /**
   * The table that entries are applied to.
   *
   * @param <V> values
   */
  public interface Target<V> {
    /** Before the first entry: about how many there will be; 0: that is not known. */
    default void expect(long entries) {}

    /**
     * The key has a value. Those of one part come in the order of hashes, as a rule.
     *
     * @param value valid until the next call where it is an array of longs
     */
    void load(Object key, long hash, V value);

    /** The key has no value. */
    void remove(Object key, long hash);
  }

  private final KeyedStateBackend.Opening opening;
  private final StoredState stored;
  private final String what;

  /**
   * For one state.
   *
   * @param state its name
   */
  public EntryReader(KeyedStateBackend.Opening opening, String state, StoredState stored) {
    this.opening = opening;
    this.stored = stored;
    this.what = "state '" + state + "' of node '" + opening.node() + "'";
  }

  /**
   * A reader of the stored values as what the serde reads.
   *
   * @param alternative what reads them when the serde cannot; null: nothing does
   * @throws StreamForgeException when what was stored cannot be read so
   */
  private <V> ValueReader<V> values(Serde<V> serde, @Nullable Serde<V> alternative) {
    Schema values = stored.schema().values();
    if (values == null) {
      throw mismatch(serde.schema().toString());
    }
    Reading<V> reading = serde.reading(values);
    if (reading instanceof Reading.Refused<V> && alternative != null) {
      Reading<V> other = alternative.reading(values);
      reading = other instanceof Reading.Refused<V> ? reading : other;
    }
    return Serdes.delimited(
        reading.orThrow(what, ErrorContext.node(opening.node())).reader(), values);
  }

  /**
   * A reader of the stored values as the longs of the state; it returns an array that the next call
   * may change.
   *
   * @throws StreamForgeException when what was stored cannot be read so
   */
  private ValueReader<long[]> columns(ColumnsDescriptor state) {
    ValueReader<long[]> reader = longs();
    if (isStored(state.columns(), state.form())) {
      return reader;
    }
    for (ColumnsDescriptor.Alternative alternative : state.alternatives()) {
      if (isStored(alternative.columns(), alternative.form())) {
        return input -> alternative.conversion().apply(reader.read(input));
      }
    }
    throw mismatch(EntrySchema.longs(state.columns(), state.form()));
  }

  private boolean isStored(int columns, String form) {
    String before = stored.schema().form();
    return stored.schema().columns() == columns
        && (before.isEmpty() || form.isEmpty() || before.equals(form));
  }

  private ValueReader<long[]> longs() {
    long[] value = new long[stored.schema().columns()];
    return input -> {
      for (int i = 0; i < value.length; i++) {
        value[i] = input.readLong();
      }
      return value;
    };
  }

  private StreamForgeException mismatch(String expected) {
    return new StreamForgeException(
        ErrorCode.STATE_INCOMPATIBLE,
        ErrorContext.node(opening.node()),
        what + ": stored " + stored.schema() + ", expected values of " + expected,
        "Keep the aggregate or the kind of state; or give the node another name, whose state begins"
            + " empty.",
        null);
  }

  /**
   * Checks the form of the bytes.
   *
   * @throws StreamForgeException when they are in another form
   */
  public void checkForm(String form) {
    if (!stored.form().equals(form)) {
      throw new StreamForgeException(
          ErrorCode.STATE_INCOMPATIBLE,
          ErrorContext.node(opening.node()),
          what + " was stored in the form '" + stored.form() + "', which cannot be read here",
          "Use the backend that wrote it, or start from a savepoint, which any backend can read.",
          null);
    }
  }

  /** A reader of the stored keys as the node's keys. */
  public ValueReader<Object> keys() {
    Schema keySchema = stored.schema().keys();
    return Serdes.delimited(
        KeyKinds.reading(opening.keyKind().serde(), keySchema)
            .orThrow("the keys of " + what, ErrorContext.node(opening.node()))
            .reader(),
        keySchema);
  }

  /** Whether the task owns a key with this hash. */
  public boolean owns(long hash) {
    int group = KeyGroups.of(hash, opening.groups());
    return group >= opening.firstGroup() && group < opening.endGroup();
  }

  /**
   * Fills a table of objects; see {@link RestoredStates#fill}.
   *
   * @throws StreamForgeException when what was stored cannot be read as values of the state
   */
  public <V> void fill(StateDescriptor<V> state, Serde<V> serde, Target<V> table) {
    ValueReader<V> values = values(serde, state.alternative());
    opening.restored().fill(() -> apply(values, table));
  }

  /** As {@link #fill(StateDescriptor, Serde, Target)} for a table of longs. */
  public void fill(ColumnsDescriptor state, Target<long[]> table) {
    ValueReader<long[]> values = columns(state);
    opening.restored().fill(() -> apply(values, table));
  }

  /** Applies the entries of the task's key groups; the others are passed over. */
  private <V> void apply(ValueReader<V> values, Target<V> target) {
    checkForm(Entries.FORM);
    target.expect(stored.entries());
    KeyKind<Object> kind = opening.keyKind();
    ValueReader<Object> keys = keys();
    ByteReader input = new ByteReader(new byte[0]);
    for (byte[] chunk; (chunk = stored.chunks().next()) != null; ) {
      input.reset(chunk, 0, chunk.length);
      while (input.remaining() > 0) {
        int tag = input.readByte();
        Object key = keys.read(input);
        long hash = kind.hash(key);
        boolean owned = owns(hash);
        if (tag != Entries.PUT && tag != Entries.REMOVED) {
          throw new StreamForgeException(
              ErrorCode.STATE_INCOMPATIBLE,
              ErrorContext.node(opening.node()),
              what + " has an entry with the tag " + tag + ", which this version does not know");
        }
        if (tag == Entries.PUT) {
          V value = values.read(input);
          if (owned) {
            target.load(key, hash, value);
          }
        } else if (owned) {
          target.remove(key, hash);
        }
      }
    }
  }
}
