package io.streamforge.bench.flink;

import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Mix;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.functions.windowing.WindowFunction;
import org.apache.flink.streaming.api.windowing.windows.TimeWindow;
import org.apache.flink.util.Collector;

/** What is known of a key in a window: a mutable accumulator that lives in heap state. */
public final class CountAndSum {
  static final TypeInformation<CountAndSum> TYPE = Types.POJO(CountAndSum.class);

  /** How many records. */
  public long count;

  /** Sum of their amounts. */
  public long sum;

  /** Adds clicks of user and amount. */
  static final class Aggregate
      implements AggregateFunction<Tuple2<Long, Long>, CountAndSum, CountAndSum> {
    private static final long serialVersionUID = 1;

    @Override
    public CountAndSum createAccumulator() {
      return new CountAndSum();
    }

    @Override
    public CountAndSum add(Tuple2<Long, Long> click, CountAndSum accumulator) {
      accumulator.count++;
      accumulator.sum += click.f1;
      return accumulator;
    }

    @Override
    public CountAndSum getResult(CountAndSum accumulator) {
      return accumulator;
    }

    @Override
    public CountAndSum merge(CountAndSum one, CountAndSum other) {
      one.count += other.count;
      one.sum += other.sum;
      return one;
    }
  }

  /** Result of a window, with what it is the result of. */
  static final class Result {
    static final TypeInformation<Result> TYPE = TypeInformation.of(Result.class);

    long user;
    long startMillis;
    long count;
    long sum;

    long timedHash() {
      Feed.current().windowResult(startMillis);
      return hash();
    }

    long hash() {
      return Mix.window(user, startMillis, count, sum);
    }
  }

  /** Adds key and window to a result; emits the same object again and again. */
  static final class ToResult implements WindowFunction<CountAndSum, Result, Long, TimeWindow> {
    private static final long serialVersionUID = 1;

    private transient Result result;

    @Override
    public void apply(
        Long user, TimeWindow window, Iterable<CountAndSum> values, Collector<Result> collector) {
      if (result == null) {
        result = new Result();
      }
      CountAndSum value = values.iterator().next();
      result.user = user;
      result.startMillis = window.getStart();
      result.count = value.count;
      result.sum = value.sum;
      collector.collect(result);
    }
  }
}
