package io.streamforge.connector.file;

import io.streamforge.source.ReadStatus;
import io.streamforge.source.RecordOutput;
import io.streamforge.source.SourceReader;
import io.streamforge.source.Split;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Reads the files of one task in turns. Of files that end only so many are open at a time, the next
 * being opened when one has ended; more are opened only when all of these are ahead in event time.
 */
final class FileReader<V> implements SourceReader<Void, V> {
  private static final int OPEN_FILES = 64;

  /** How many records of a file are read before the next file has its turn. */
  private static final int TURN = 1024;

  private record Turn<V>(int split, FileCursor<V> cursor) {}

  private final FileFormat<V> format;
  private final FileReadSettings settings;
  private final Queue<Turn<V>> unopened = new ArrayDeque<>();
  private final List<Turn<V>> opened = new ArrayList<>();
  private int added;
  private int turn;

  FileReader(FileFormat<V> format, FileReadSettings settings) {
    this.format = format;
    this.settings = settings;
  }

  @Override
  public void add(Split split) {
    FileCursor<V> cursor =
        new FileCursor<>(format, Path.of(split.id()), split.position(), settings);
    unopened.add(new Turn<>(added++, cursor));
  }

  @Override
  public ReadStatus read(RecordOutput<Void, V> output) throws IOException {
    while (!unopened.isEmpty()
        && (settings.follow() || opened.size() < OPEN_FILES || allPaused(output))) {
      opened.add(unopened.remove());
    }
    boolean more = false;
    for (int i = opened.size(); i > 0 && !output.full(); i--) {
      turn = turn < opened.size() ? turn : 0;
      Turn<V> next = opened.get(turn);
      if (output.paused(next.split)) {
        turn++;
        continue;
      }
      switch (next.cursor.read(output, next.split, TURN)) {
        case MORE -> {
          more = true;
          turn++;
        }
        case WAITING -> turn++;
        case ENDED -> {
          opened.remove(turn);
          next.cursor.close();
          output.end(next.split);
          more |= !unopened.isEmpty();
        }
      }
    }
    if (opened.isEmpty() && unopened.isEmpty()) {
      return ReadStatus.ENDED;
    }
    return more || output.full() ? ReadStatus.MORE : ReadStatus.WAITING;
  }

  private boolean allPaused(RecordOutput<Void, V> output) {
    for (Turn<V> each : opened) {
      if (!output.paused(each.split)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean blocking() {
    return true;
  }

  @Override
  public long pollMillis() {
    return settings.poll().toMillis();
  }

  @Override
  public void close() throws IOException {
    IOException first = null;
    for (Turn<V> each : opened) {
      try {
        each.cursor.close();
      } catch (IOException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    opened.clear();
    if (first != null) {
      throw first;
    }
  }
}
