package io.streamforge.examples.docs;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.streamforge.record.Headers;
import io.streamforge.sink.CommitResult;
import io.streamforge.sink.Committable;
import io.streamforge.sink.CommittingSink;
import io.streamforge.sink.CommittingWriter;
import io.streamforge.sink.Ownership;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.WriterMarker;
import io.streamforge.sink.WriterState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The sink of one's own in {@code docs/sources-and-sinks.md}. */
// tag::own-sink[]
final class TableSink implements CommittingSink<String, Long> {
  private final Table table;

  TableSink(Table table) {
    this.table = table;
  }

  @Override
  public CommittingWriter<String, Long> writer(SinkContext context) {
    return new Writer(Integer.toString(context.taskIndex()), context.checkpointed());
  }

  @Override
  public List<WriterMarker> fence(SinkContext context, List<WriterState> writers) {
    List<WriterMarker> shown = new ArrayList<>();
    table.markers().forEach((writer, marker) -> shown.add(new WriterMarker(writer, marker)));
    return shown;
  }

  @Override
  public void recover(SinkContext context, List<WriterState> writers, Ownership ownership) {
    for (WriterState writer : writers) {
      writer.committables().forEach(committable -> commit(writer.writer(), committable));
    }
  }

  private CommitResult commit(String writer, Committable committable) {
    List<String> rows = new String(committable.content(), UTF_8).lines().toList();
    return table.insert(writer, committable.checkpoint(), rows)
        ? new CommitResult.Committed()
        : new CommitResult.AlreadyCommitted();
  }

  private final class Writer implements CommittingWriter<String, Long> {
    private final String id;
    private final boolean checkpointed;
    private final StringBuilder rows = new StringBuilder();

    Writer(String id, boolean checkpointed) {
      this.id = id;
      this.checkpointed = checkpointed;
    }

    @Override
    public void write(String key, Long value, long timestampMillis, Headers headers) {
      rows.append(key).append(' ').append(value).append('\n');
    }

    @Override
    public List<Committable> prepare(long checkpoint) {
      if (rows.isEmpty()) {
        return List.of();
      }
      // The checkpoint keeps the rows themselves: a table has nowhere to hide them.
      Committable committable = new Committable(checkpoint, rows.toString().getBytes(UTF_8));
      rows.setLength(0);
      return List.of(committable);
    }

    @Override
    public CommitResult commit(Committable committable) {
      return TableSink.this.commit(id, committable);
    }

    @Override
    public void finish() {
      if (!checkpointed) {
        table.append(rows.toString().lines().toList());
      }
    }
  }

  @Override
  public String describe() {
    return "table";
  }
}

// end::own-sink[]

/** Stands for a database. */
final class Table {
  private final List<String> rows = new ArrayList<>();
  private final Map<String, Long> markers = new TreeMap<>();

  /** In one transaction: inserts rows and sets the marker, unless it is that high already. */
  synchronized boolean insert(String writer, long checkpoint, List<String> inserted) {
    if (markers.getOrDefault(writer, 0L) >= checkpoint) {
      return false;
    }
    markers.put(writer, checkpoint);
    rows.addAll(inserted);
    return true;
  }

  synchronized void append(List<String> appended) {
    rows.addAll(appended);
  }

  synchronized Map<String, Long> markers() {
    return Map.copyOf(markers);
  }

  synchronized List<String> rows() {
    return List.copyOf(rows);
  }
}
