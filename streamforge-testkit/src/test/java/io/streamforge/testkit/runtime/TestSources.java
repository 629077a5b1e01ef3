package io.streamforge.testkit.runtime;

import io.streamforge.source.ReadStatus;
import io.streamforge.source.RecordOutput;
import io.streamforge.source.Source;
import io.streamforge.source.SourceContext;
import io.streamforge.source.SourceReader;
import io.streamforge.source.Split;
import io.streamforge.source.SplitEnumerator;
import java.lang.reflect.Type;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Sources that behave as a test tells them to. */
final class TestSources {
  private TestSources() {}

  /** One call of a reader. */
  interface Read {
    ReadStatus read(RecordOutput<String, Integer> output) throws Exception;
  }

  /** A source of one split and one reader; counts what it has opened and closed. */
  static final class Reading implements Source<String, Integer> {
    final AtomicInteger openReaders = new AtomicInteger();
    final AtomicInteger openEnumerators = new AtomicInteger();
    private final boolean blocking;
    private final Read read;

    Reading(boolean blocking, Read read) {
      this.blocking = blocking;
      this.read = read;
    }

    @Override
    public boolean bounded() {
      return false;
    }

    @Override
    public SplitEnumerator enumerator(SourceContext context) {
      openEnumerators.incrementAndGet();
      return new SplitEnumerator() {
        private boolean found;

        @Override
        public List<Split> discover() {
          List<Split> splits = found ? List.of() : List.of(new Split("0", 0));
          found = true;
          return splits;
        }

        @Override
        public void close() {
          openEnumerators.decrementAndGet();
        }
      };
    }

    @Override
    public SourceReader<String, Integer> reader(SourceContext context) {
      openReaders.incrementAndGet();
      return new SourceReader<>() {
        @Override
        public void add(Split split) {}

        @Override
        public ReadStatus read(RecordOutput<String, Integer> output) throws Exception {
          return read.read(output);
        }

        @Override
        public boolean blocking() {
          return blocking;
        }

        @Override
        public long pollMillis() {
          return 1;
        }

        @Override
        public void close() {
          openReaders.decrementAndGet();
        }
      };
    }

    @Override
    public Type keyType() {
      return String.class;
    }

    @Override
    public Type valueType() {
      return Integer.class;
    }

    @Override
    public boolean hasTimestamps() {
      return true;
    }

    @Override
    public String describe() {
      return "what the test reads";
    }
  }
}
