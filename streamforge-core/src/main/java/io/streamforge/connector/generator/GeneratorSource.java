package io.streamforge.connector.generator;

import io.streamforge.function.FunctionTypes;
import io.streamforge.record.Record;
import io.streamforge.source.CursorReader;
import io.streamforge.source.Source;
import io.streamforge.source.SourceContext;
import io.streamforge.source.SourceReader;
import io.streamforge.source.SplitEnumerator;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Objects;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Makes records by a function of their index and a random sequence. What it makes depends on the
 * seed alone and not on the number of tasks: of {@code n} splits, split {@code j} has the elements
 * {@code j}, {@code j + n}, {@code j + 2n} and so on. A position counts the elements of its split.
 *
 * <p>Endless, as fast as possible and without timestamps unless told otherwise.
 *
 * @param <K> keys; {@code Void} when the function makes values
 * @param <V> values
 */
public final class GeneratorSource<K, V> implements Source<K, V> {
  /** What makes the elements: one of the two. */
  sealed interface Maker<K, V> {}

  record Values<V>(ValueGenerator<V> function) implements Maker<Void, V> {}

  record Records<K, V>(RecordGenerator<K, V> function) implements Maker<K, V> {}

  /**
   * How the elements are made.
   *
   * @param count how many; {@link Long#MAX_VALUE}: endless
   * @param ratePerSecond of all splits together; 0: as fast as possible
   * @param splits 0: as many as there are tasks
   * @param timestamps epoch milliseconds of an index
   */
  private record Settings(
      long seed,
      long count,
      double ratePerSecond,
      int splits,
      @Nullable LongUnaryOperator timestamps) {}

  private final Maker<K, V> maker;
  private final Settings settings;

  private GeneratorSource(Maker<K, V> maker, Settings settings) {
    this.maker = maker;
    this.settings = settings;
  }

  /** Values without keys. */
  public static <V> GeneratorSource<Void, V> values(ValueGenerator<V> function) {
    return new GeneratorSource<>(
        new Values<>(Objects.requireNonNull(function)),
        new Settings(0, Long.MAX_VALUE, 0, 0, null));
  }

  /** Records with the timestamps that the function gives them. */
  public static <K, V> GeneratorSource<K, V> records(RecordGenerator<K, V> function) {
    return new GeneratorSource<>(
        new Records<>(Objects.requireNonNull(function)),
        new Settings(0, Long.MAX_VALUE, 0, 0, null));
  }

  /** The same with another random sequence for each index; 0 unless it is set. */
  public GeneratorSource<K, V> seed(long seed) {
    return new GeneratorSource<>(
        maker,
        new Settings(
            seed, settings.count, settings.ratePerSecond, settings.splits, settings.timestamps));
  }

  /** The first {@code count} elements. */
  public GeneratorSource<K, V> count(long count) {
    if (count < 0) {
      throw new IllegalArgumentException("count must not be negative: " + count);
    }
    return new GeneratorSource<>(
        maker,
        new Settings(
            settings.seed, count, settings.ratePerSecond, settings.splits, settings.timestamps));
  }

  /**
   * The same at this rate, by the job's clock. What the job could not take in time follows as fast
   * as it can.
   */
  public GeneratorSource<K, V> ratePerSecond(double ratePerSecond) {
    if (!(ratePerSecond > 0 && ratePerSecond <= 1e12)) {
      throw new IllegalArgumentException(
          "ratePerSecond must be above 0 and at most 1e12: " + ratePerSecond);
    }
    return new GeneratorSource<>(
        maker,
        new Settings(
            settings.seed, settings.count, ratePerSecond, settings.splits, settings.timestamps));
  }

  /**
   * The same in this many splits instead of one a task. They are chosen when the job begins without
   * state: one that goes on from a checkpoint has those that it had, at any parallelism.
   */
  public GeneratorSource<K, V> splits(int splits) {
    if (splits < 1) {
      throw new IllegalArgumentException("splits must be at least 1: " + splits);
    }
    return new GeneratorSource<>(
        maker,
        new Settings(
            settings.seed, settings.count, settings.ratePerSecond, splits, settings.timestamps));
  }

  /** The same with timestamps: epoch milliseconds made of the index. */
  public GeneratorSource<K, V> timestamps(LongUnaryOperator timestampMillis) {
    return new GeneratorSource<>(
        maker,
        new Settings(
            settings.seed,
            settings.count,
            settings.ratePerSecond,
            settings.splits,
            Objects.requireNonNull(timestampMillis)));
  }

  @Override
  public boolean bounded() {
    return settings.count != Long.MAX_VALUE;
  }

  @Override
  public SplitEnumerator enumerator(SourceContext context) {
    return new GeneratorEnumerator(settings.splits == 0 ? context.parallelism() : settings.splits);
  }

  @Override
  public SourceReader<K, V> reader(SourceContext context) {
    double rate = settings.ratePerSecond;
    long pollMillis = rate == 0 ? 100 : (long) Math.max(1, Math.min(100, 1000 / rate));
    return new CursorReader<>(
        false,
        pollMillis,
        split ->
            new GeneratorCursor<>(
                maker,
                new IndexRandom(settings.seed),
                settings.timestamps,
                settings.count,
                new Pace(rate, context.clock()),
                Objects.requireNonNull(GeneratorCursor.Share.parse(split.id())),
                split.position()));
  }

  @Override
  public @Nullable Type keyType() {
    return maker instanceof Values<?> ? Void.class : recordArgument(0);
  }

  @Override
  public @Nullable Type valueType() {
    if (maker instanceof Values<?> values) {
      return FunctionTypes.of(values.function, ValueGenerator.class)
              instanceof FunctionTypes.Known known
          ? concrete(known.result())
          : null;
    }
    return recordArgument(1);
  }

  private @Nullable Type recordArgument(int index) {
    return maker instanceof Records<?, ?> records
            && FunctionTypes.of(records.function, RecordGenerator.class)
                instanceof FunctionTypes.Known known
            && known.result() instanceof ParameterizedType type
            && type.getRawType() == Record.class
        ? concrete(type.getActualTypeArguments()[index])
        : null;
  }

  /** The type if it says enough to choose a serde by. */
  private static @Nullable Type concrete(Type type) {
    if (type instanceof Class<?> plain
        && plain != Object.class
        && plain.getTypeParameters().length == 0) {
      return plain.isPrimitive() ? MethodType.methodType(plain).wrap().returnType() : plain;
    }
    if (type instanceof ParameterizedType parameterized) {
      for (Type argument : parameterized.getActualTypeArguments()) {
        if (concrete(argument) == null) {
          return null;
        }
      }
      return parameterized;
    }
    return null;
  }

  @Override
  public boolean hasTimestamps() {
    return settings.timestamps != null || maker instanceof Records<?, ?>;
  }

  @Override
  public String describe() {
    return "generator"
        + (bounded() ? " of " + settings.count + " records" : "")
        + (settings.ratePerSecond == 0 ? "" : " at " + settings.ratePerSecond + " a second");
  }
}
