package io.streamforge.connector.file;

import io.streamforge.connector.file.FrameReader.Found;
import io.streamforge.error.StreamForgeException;
import io.streamforge.source.ReadStatus;
import io.streamforge.source.RecordOutput;
import io.streamforge.source.SplitCursor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads one file; opens it at the first read. */
final class FileCursor<V> implements SplitCursor<Void, V> {
  private static final Logger LOG = LoggerFactory.getLogger(FileCursor.class);
  private static final String SKIPPED = "malformed";

  /** A file with its decoder. */
  private record Opened<V>(FrameReader frames, boolean compressed, RecordDecoder<V> decoder) {}

  /** How much of a record that is too long is passed on. */
  private static final int TOO_LONG_SHOWN_BYTES = 1 << 16;

  /** A record that is none, or the beginning of it. */
  private record Malformed(byte[] original, StreamForgeException error) {}

  private final FileFormat<V> format;
  private final Path file;
  private final FileReadSettings settings;
  private final long startPosition;
  private final RawRecord record;
  private @Nullable Opened<V> opened;

  /** Lines before the first that the reader has counted; −1: not known yet. */
  private long linesBefore;

  private long records;
  private boolean warned;

  /** What is too long and is being passed over; null: nothing. */
  private @Nullable Malformed tooLong;

  FileCursor(FileFormat<V> format, Path file, long position, FileReadSettings settings) {
    this.format = format;
    this.file = file;
    this.settings = settings;
    this.startPosition = position;
    this.record = new RawRecord(settings.malformed() == MalformedPolicy.REPLACE);
  }

  @Override
  public ReadStatus read(RecordOutput<Void, V> output, int split, int limit) {
    Opened<V> here = opened;
    if (here == null) {
      here = open();
      if (here == null) {
        return settings.follow() ? ReadStatus.WAITING : ReadStatus.ENDED;
      }
    }
    FrameReader frames = here.frames;
    for (int i = 0; i < limit && !output.full(); i++) {
      if (tooLong != null) {
        if (!passOver(frames)) {
          return ReadStatus.WAITING;
        }
        malformed(tooLong, output, split, here.compressed ? records : frames.nextOffset());
        tooLong = null;
        continue;
      }
      Found found = next(frames);
      switch (found) {
        case WAITING -> {
          return ReadStatus.WAITING;
        }
        case ENDED -> {
          return ReadStatus.ENDED;
        }
        case RECORD -> {
          records++;
          long position = here.compressed ? records : frames.nextOffset();
          record.set(frames.buffer(), frames.recordStart(), frames.recordLength());
          V value;
          try {
            value = here.decoder.decode(record);
          } catch (MalformedRecordException e) {
            malformed(new Malformed(record.copy(), error(frames, e)), output, split, position);
            continue;
          }
          if (value != null) {
            output.emit(split, null, value, RecordOutput.NO_TIMESTAMP, null, position);
          }
        }
        case TOO_LONG -> {
          records++;
          // Of such a record only what tells it apart: it may be longer than memory.
          record.set(
              frames.buffer(),
              frames.tooLongStart(),
              Math.min(frames.tooLongLength(), TOO_LONG_SHOWN_BYTES));
          tooLong =
              new Malformed(
                  record.copy(),
                  error(
                      frames,
                      new MalformedRecordException(
                          "it is longer than " + settings.maxRecordBytes() + " bytes")));
        }
        case UNCLOSED -> {
          records++;
          record.set(frames.buffer(), frames.recordStart(), frames.recordLength());
          malformed(
              new Malformed(
                  record.copy(),
                  error(
                      frames, new MalformedRecordException("a quote is opened and never closed"))),
              output,
              split,
              here.compressed ? records : frames.nextOffset());
        }
      }
    }
    return ReadStatus.MORE;
  }

  private Found next(FrameReader frames) {
    try {
      return frames.next();
    } catch (IOException e) {
      throw FileErrors.broken(file, line(frames), e);
    }
  }

  private boolean passOver(FrameReader frames) {
    try {
      return frames.passOver();
    } catch (IOException e) {
      throw FileErrors.broken(file, line(frames), e);
    }
  }

  private StreamForgeException error(FrameReader frames, MalformedRecordException e) {
    return FileErrors.malformed(
        file, line(frames) + e.lineOffset(), e.column(), String.valueOf(e.getMessage()), e);
  }

  private void malformed(
      Malformed malformed, RecordOutput<Void, V> output, int split, long position) {
    MalformedPolicy policy = settings.malformed();
    if (policy == MalformedPolicy.FAIL) {
      throw malformed.error;
    }
    if (policy != MalformedPolicy.SKIP) {
      output.reject(split, malformed.original, malformed.error, position);
      return;
    }
    output.skip(split, SKIPPED, position);
    if (!warned) {
      warned = true;
      LOG.warn(
          "skipped a record at {}, as it will others of this file without notice: {}",
          malformed.error.context().position(),
          malformed.error.summary());
    }
  }

  private long line(FrameReader frames) {
    if (linesBefore < 0) {
      linesBefore = countLines();
    }
    return linesBefore + frames.line();
  }

  /** The line feeds before the start position; for errors only, 0 when the file has gone. */
  private long countLines() {
    long lines = 0;
    byte[] bytes = new byte[1 << 16];
    try (InputStream input = Files.newInputStream(file)) {
      for (long left = startPosition; left > 0; ) {
        int count = input.read(bytes, 0, (int) Math.min(left, bytes.length));
        if (count < 0) {
          break;
        }
        lines += LineFeeds.count(bytes, 0, count);
        left -= count;
      }
    } catch (IOException e) {
      LOG.debug("the lines of {} cannot be counted", file, e);
    }
    return lines;
  }

  /** Opens the file; null when it has no header or not enough bytes yet. */
  @Nullable Opened<V> open() {
    FrameReader frames = null;
    try {
      Boolean compressed = compressed();
      if (compressed == null) {
        return null;
      }
      frames = frames(compressed, 0);
      RawRecord header = null;
      if (format.hasHeader()) {
        Found found = frames.next();
        if (found != Found.RECORD) {
          frames.close();
          if (found == Found.WAITING || found == Found.ENDED) {
            return null;
          }
          throw FileErrors.malformed(
              file, 1, 0, "the header is too long or has a quote that is not closed", null);
        }
        header = new RawRecord(settings.malformed() == MalformedPolicy.REPLACE);
        header.set(frames.buffer(), frames.recordStart(), frames.recordLength());
      }
      RecordDecoder<V> decoder = format.decoder(header);
      frames = moveOn(frames, compressed);
      Opened<V> result = new Opened<>(frames, compressed, decoder);
      opened = result;
      return result;
    } catch (IOException e) {
      throw closing(frames, FileErrors.unreadable(file, e));
    } catch (MalformedRecordException e) {
      throw closing(frames, FileErrors.badHeader(file, e));
    }
  }

  private FrameReader moveOn(FrameReader frames, boolean compressed) throws IOException {
    if (compressed) {
      while (records < startPosition) {
        Found found = frames.next();
        if (found == Found.ENDED || found == Found.WAITING) {
          break;
        }
        records++;
      }
    } else if (startPosition > frames.nextOffset()) {
      frames.close();
      linesBefore = -1;
      return frames(false, startPosition);
    }
    return frames;
  }

  private FrameReader frames(boolean compressed, long offset) throws IOException {
    boolean follow = settings.follow() && !compressed;
    ByteFeed feed = compressed ? new GzipFeed(file) : new PlainFeed(file, offset, follow);
    return new FrameReader(feed, format.framing(), offset, settings.maxRecordBytes(), follow);
  }

  /** By the first bytes and the name; null when there are not enough bytes yet. */
  private @Nullable Boolean compressed() throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    boolean named = file.toString().endsWith(".gz");
    try (InputStream input = Files.newInputStream(file)) {
      int first = input.read();
      int second = input.read();
      if (second < 0 && settings.follow()) {
        return null;
      }
      return first >= 0 && (named || GzipFeed.magic(first, second));
    }
  }

  private static StreamForgeException closing(
      @Nullable FrameReader frames, StreamForgeException error) {
    if (frames != null) {
      try {
        frames.close();
      } catch (IOException e) {
        error.addSuppressed(e);
      }
    }
    return error;
  }

  @Override
  public void close() throws IOException {
    if (opened != null) {
      opened.frames.close();
    }
  }
}
