package io.streamforge.testkit.simulation;

import io.streamforge.sink.CommittingSink;
import io.streamforge.sink.CommittingWriter;
import io.streamforge.sink.Ownership;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.WriterMarker;
import io.streamforge.sink.WriterState;
import java.util.List;

/** Mistake: what sinks say of checkpoints that they have seen goes unheard, so numbers repeat. */
final class MarkersIgnored implements Planting {
  @Override
  public CommittingSink<Object, Object> sink(CommittingSink<Object, Object> sink) {
    return new CommittingSink<>() {
      @Override
      public CommittingWriter<Object, Object> writer(SinkContext context) throws Exception {
        return sink.writer(context);
      }

      @Override
      public List<WriterMarker> fence(SinkContext context, List<WriterState> writers)
          throws Exception {
        sink.fence(context, writers);
        return List.of();
      }

      @Override
      public void recover(SinkContext context, List<WriterState> writers, Ownership ownership)
          throws Exception {
        sink.recover(context, writers, ownership);
      }

      @Override
      public boolean blocking() {
        return sink.blocking();
      }

      @Override
      public String describe() {
        return sink.describe();
      }
    };
  }
}
