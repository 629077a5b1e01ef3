package io.streamforge.bench.flink;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Counts the records of each key and emits key and count for every one. */
final class RunningCount<K> extends KeyedProcessFunction<K, Tuple2<K, Long>, Tuple2<K, Long>> {
  private static final long serialVersionUID = 1;

  private transient ValueState<Long> counts;
  private transient Tuple2<K, Long> output;

  @Override
  public void open(OpenContext context) {
    counts = getRuntimeContext().getState(new ValueStateDescriptor<>("count", Types.LONG));
    output = new Tuple2<>();
  }

  @Override
  public void processElement(
      Tuple2<K, Long> click, Context context, Collector<Tuple2<K, Long>> collector)
      throws Exception {
    Long before = counts.value();
    Long count = before == null ? 1 : before + 1;
    counts.update(count);
    output.setFields(click.f0, count);
    collector.collect(output);
  }
}
