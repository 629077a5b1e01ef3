package io.streamforge.bench.flink;

import io.streamforge.bench.workload.Input;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/** Keeps the latest text of each key and emits key and text for every record. */
final class LatestText
    extends KeyedProcessFunction<Long, Tuple2<Long, String>, Tuple2<Long, String>> {
  private static final long serialVersionUID = 1;

  private transient ValueState<String> texts;
  private transient Tuple2<Long, String> output;

  @Override
  public void open(OpenContext context) {
    texts = getRuntimeContext().getState(new ValueStateDescriptor<>("text", Types.STRING));
    output = new Tuple2<>();
  }

  @Override
  public void processElement(
      Tuple2<Long, String> text, Context context, Collector<Tuple2<Long, String>> collector)
      throws Exception {
    String before = texts.value();
    String latest = before == null ? text.f1 : Input.latest(before, text.f1);
    texts.update(latest);
    output.setFields(text.f0, latest);
    collector.collect(output);
  }
}
