package io.streamforge.connector.collection;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.record.Record;
import io.streamforge.source.CursorReader;
import io.streamforge.source.ReadStatus;
import io.streamforge.source.RecordOutput;
import io.streamforge.source.Source;
import io.streamforge.source.SourceContext;
import io.streamforge.source.SourceReader;
import io.streamforge.source.Split;
import io.streamforge.source.SplitCursor;
import io.streamforge.source.SplitEnumerator;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads records from memory. Bounded, and may be read any number of times. A position counts the
 * records of its split.
 *
 * @param <K> keys
 * @param <V> values
 */
public final class CollectionSource<K, V> implements Source<K, V> {
  private final List<List<Record<K, V>>> partitions;
  private final boolean timestamps;
  private final boolean keyless;

  private CollectionSource(
      List<? extends List<Record<K, V>>> partitions, boolean timestamps, boolean keyless) {
    List<List<Record<K, V>>> copies = new ArrayList<>();
    for (List<Record<K, V>> partition : partitions) {
      copies.add(List.copyOf(partition));
    }
    this.partitions = List.copyOf(copies);
    this.timestamps = timestamps;
    this.keyless = keyless;
  }

  /** These records in this order, with their timestamps; one split. */
  public static <K, V> CollectionSource<K, V> of(List<Record<K, V>> records) {
    return new CollectionSource<>(List.of(records), true, false);
  }

  /** These values in this order, without keys and timestamps; one split. */
  @SafeVarargs
  public static <V> CollectionSource<Void, V> ofValues(V... values) {
    return ofValues(Arrays.asList(values));
  }

  /** These values in this order, without keys and timestamps; one split. */
  public static <V> CollectionSource<Void, V> ofValues(List<V> values) {
    List<Record<Void, V>> records = new ArrayList<>(values.size());
    for (V value : values) {
      records.add(withoutKey(value));
    }
    return new CollectionSource<>(List.of(records), false, true);
  }

  @SuppressWarnings("NullAway") // A Void has no other value.
  private static <V> Record<Void, V> withoutKey(V value) {
    return new Record<>(null, value, RecordOutput.NO_TIMESTAMP, null);
  }

  /** Each list a split, whose order is kept; records have their timestamps. */
  public static <K, V> CollectionSource<K, V> ofPartitions(
      List<? extends List<Record<K, V>>> partitions) {
    return new CollectionSource<>(partitions, true, false);
  }

  /** The same records dealt out to {@code splits} splits in turn. */
  public CollectionSource<K, V> splits(int splits) {
    if (splits < 1) {
      throw new IllegalArgumentException("splits must be at least 1: " + splits);
    }
    List<List<Record<K, V>>> dealt = new ArrayList<>();
    for (int i = 0; i < splits; i++) {
      dealt.add(new ArrayList<>());
    }
    int next = 0;
    for (List<Record<K, V>> partition : partitions) {
      for (Record<K, V> record : partition) {
        dealt.get(next++ % splits).add(record);
      }
    }
    return new CollectionSource<>(dealt, timestamps, keyless);
  }

  @Override
  public boolean bounded() {
    return true;
  }

  @Override
  public SplitEnumerator enumerator(SourceContext context) {
    List<Split> splits = new ArrayList<>();
    for (int i = 0; i < partitions.size(); i++) {
      splits.add(new Split(String.valueOf(i), 0));
    }
    return new SplitEnumerator() {
      @Override
      public void restore(List<Split> known) {
        checkSplits(known);
      }

      @Override
      public List<Split> discover() {
        List<Split> found = List.copyOf(splits);
        splits.clear();
        return found;
      }
    };
  }

  /** Dealt out otherwise, a position would be one in another list. */
  private void checkSplits(List<Split> known) {
    Set<String> then = new TreeSet<>();
    Set<String> now = new TreeSet<>();
    known.forEach(split -> then.add(split.id()));
    for (int i = 0; i < partitions.size(); i++) {
      now.add(String.valueOf(i));
    }
    if (!then.equals(now)) {
      throw new StreamForgeException(
          ErrorCode.STATE_INCOMPATIBLE,
          ErrorContext.NONE,
          "the checkpoint has positions in "
              + then.size()
              + " lists of this source, which has "
              + now.size()
              + " now",
          "Deal the records out as before, to "
              + then.size()
              + " splits; or, to read them from the beginning, give the node of the source another"
              + " name, and name the old one in checkpoints.dropping.",
          null);
    }
  }

  @Override
  public SourceReader<K, V> reader(SourceContext context) {
    return new CursorReader<>(
        false,
        Long.MAX_VALUE / 1_000_000_000,
        split ->
            new ListCursor<>(
                partitions.get(Integer.parseInt(split.id())), Math.toIntExact(split.position())));
  }

  /** Reads one list. */
  private static final class ListCursor<K, V> implements SplitCursor<K, V> {
    private final List<Record<K, V>> records;
    private int position;

    ListCursor(List<Record<K, V>> records, int position) {
      this.records = records;
      this.position = position;
    }

    @Override
    public ReadStatus read(RecordOutput<K, V> output, int split, int limit) {
      int end = (int) Math.min(records.size(), (long) position + limit);
      while (position < end && !output.full()) {
        Record<K, V> next = records.get(position++);
        output.emit(
            split, next.key(), next.value(), next.timestampMillis(), next.headers(), position);
      }
      return position == records.size() ? ReadStatus.ENDED : ReadStatus.MORE;
    }
  }

  @Override
  public @Nullable Type keyType() {
    return keyless ? Void.class : commonClass(Record::key);
  }

  @Override
  public @Nullable Type valueType() {
    return commonClass(Record::value);
  }

  /** The class of all that are not null, when no other class can be meant by it. */
  private @Nullable Class<?> commonClass(Function<Record<K, V>, @Nullable Object> part) {
    Class<?> common = null;
    for (List<Record<K, V>> partition : partitions) {
      for (Record<K, V> record : partition) {
        Object value = part.apply(record);
        if (value != null) {
          Class<?> type = value instanceof Enum<?> e ? e.getDeclaringClass() : value.getClass();
          if (common != null && common != type) {
            return null;
          }
          common = type;
        }
      }
    }
    return common != null && standsForItself(common) ? common : null;
  }

  /** Whether a subclass, a type argument and an interface meant instead can be ruled out. */
  private static boolean standsForItself(Class<?> type) {
    if (type.isArray()) {
      return type.getComponentType().isPrimitive();
    }
    return type.isEnum()
        || Modifier.isFinal(type.getModifiers())
            && type.getTypeParameters().length == 0
            && !type.isHidden()
            && !type.isAnonymousClass();
  }

  @Override
  public boolean hasTimestamps() {
    return timestamps;
  }

  @Override
  public String describe() {
    long count = partitions.stream().mapToLong(List::size).sum();
    return count + (count == 1 ? " record" : " records") + " in memory";
  }
}
