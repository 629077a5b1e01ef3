package io.streamforge.operator;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.function.Aggregator;
import io.streamforge.function.ForeachAction;
import io.streamforge.function.KeyValueMapper;
import io.streamforge.function.Predicate;
import io.streamforge.function.Processor;
import io.streamforge.function.PushMapper;
import io.streamforge.function.ValueMapper;
import io.streamforge.function.ValuePushMapper;
import io.streamforge.graph.Node;
import io.streamforge.record.KeyValue;
import io.streamforge.serde.KeyKind;
import io.streamforge.sink.SinkWriter;
import io.streamforge.specialise.Specialised;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Stands around whatever a node calls for a record that is not the engine's, and turns what that
 * throws into {@link Rejected}. A node whose policy is to fail has none: its operator calls the
 * functions themselves.
 */
@Specialised
final class Guard {
  /*
   * A function may be handed something of the engine: a collector, the context of a processor, a
   * handle of state. What fails in there and comes back through the function is no rejection,
   * whatever the function has made of it on the way. Failures downstream are noted where they come
   * in (GuardedContext); those of state and spilled output are told by their codes
   * (Rejections.covers).
   */
  private final String node;
  private @Nullable Throwable below;

  Guard(String node) {
    this.node = node;
  }

  /** Something downstream has failed; the job is lost. */
  void failedBelow(Throwable failure) {
    below = failure;
  }

  /** Throws what has failed downstream, also when a function has kept it to itself. */
  void check() {
    Throwable failure = below;
    if (failure != null) {
      throw Rethrow.any(failure);
    }
  }

  /** What to throw where a function has thrown. */
  private RuntimeException thrown(Exception failure) {
    check();
    return Rejections.covers(failure) ? new Rejected(this, failure) : Rethrow.any(failure);
  }

  KeyValueMapper<Object, Object, Object> mapper(KeyValueMapper<Object, Object, Object> function) {
    return (key, value) -> {
      try {
        return function.apply(key, value);
      } catch (Exception e) {
        throw thrown(e);
      }
    };
  }

  KeyValueMapper<Object, Object, KeyValue<?, ?>> pairs(
      KeyValueMapper<Object, Object, KeyValue<?, ?>> function) {
    return (key, value) -> {
      KeyValue<?, ?> pair;
      try {
        pair = function.apply(key, value);
      } catch (Exception e) {
        throw thrown(e);
      }
      if (pair == null) {
        throw thrown(noPair());
      }
      return pair;
    };
  }

  private static Exception noPair() {
    return new NullPointerException("the mapper returned null instead of a KeyValue");
  }

  ValueMapper<Object, Object> values(ValueMapper<Object, Object> function) {
    return value -> {
      try {
        return function.apply(value);
      } catch (Exception e) {
        throw thrown(e);
      }
    };
  }

  Predicate<Object, Object> predicate(Predicate<Object, Object> function) {
    return (key, value) -> {
      try {
        return function.test(key, value);
      } catch (Exception e) {
        throw thrown(e);
      }
    };
  }

  ForeachAction<Object, Object> action(ForeachAction<Object, Object> function) {
    return (key, value) -> {
      try {
        function.apply(key, value);
      } catch (Exception e) {
        throw thrown(e);
      }
    };
  }

  PushMapper<Object, Object, Object, Object> push(
      PushMapper<Object, Object, Object, Object> function) {
    return (key, value, output) -> {
      try {
        function.apply(key, value, output);
      } catch (Exception e) {
        throw thrown(e);
      }
    };
  }

  ValuePushMapper<Object, Object> push(ValuePushMapper<Object, Object> function) {
    return (value, output) -> {
      try {
        function.apply(value, output);
      } catch (Exception e) {
        throw thrown(e);
      }
    };
  }

  List<Node.Branch> branches(List<Node.Branch> branches) {
    return branches.stream()
        .map(
            branch ->
                branch.predicate() == null
                    ? branch
                    : new Node.Branch(branch.name(), predicate(Values.cast(branch.predicate()))))
        .toList();
  }

  /** Makes the key, and sees to it that there is one. */
  KeyValueMapper<Object, Object, Object> selector(
      @Nullable KeyValueMapper<Object, Object, Object> function) {
    return (key, value) -> {
      Object selected;
      try {
        selected = function == null ? key : function.apply(key, value);
      } catch (Exception e) {
        throw thrown(e);
      }
      if (selected == null) {
        throw thrown(
            new StreamForgeException(
                ErrorCode.NULL_KEY, ErrorContext.node(node), "a record has no key to group it by"));
      }
      return selected;
    };
  }

  /** The serialised form of a key, which a serde of the user's may make. */
  KeyKind<Object> keyKind(KeyKind<Object> kind) {
    return new GuardedKeyKind(kind, this::thrown);
  }

  /** Results, their iterator, and their release. */
  FlatMapOperator.Opener opener(FlatMapOperator.Opener opener, boolean keepsKey) {
    return (key, value) -> {
      FlatMapOperator.Results results;
      try {
        results = opener.open(key, value);
      } catch (Exception e) {
        throw thrown(e);
      }
      return new FlatMapOperator.Results(
          new GuardedIterator(results, keepsKey), () -> release(results));
    };
  }

  private void release(FlatMapOperator.Results results) {
    try {
      results.release().run();
    } catch (Exception e) {
      throw thrown(e);
    }
  }

  private final class GuardedIterator implements Iterator<Object> {
    private final FlatMapOperator.Results results;
    private final boolean keepsKey;

    GuardedIterator(FlatMapOperator.Results results, boolean keepsKey) {
      this.results = results;
      this.keepsKey = keepsKey;
    }

    @Override
    public boolean hasNext() {
      try {
        return results.iterator().hasNext();
      } catch (Exception e) {
        throw over(e);
      }
    }

    @Override
    @SuppressWarnings("NullAway") // A value may be null where the types of the job allow it.
    public Object next() {
      Object next;
      try {
        next = results.iterator().next();
      } catch (Exception e) {
        throw over(e);
      }
      if (!keepsKey && !(next instanceof KeyValue<?, ?>)) {
        throw over(noPair());
      }
      return next;
    }

    /** No more is pulled, so that what the results hold is released here. */
    private RuntimeException over(Exception failure) {
      try {
        results.release().run();
      } catch (Exception e) {
        failure.addSuppressed(e);
      }
      return thrown(failure);
    }
  }

  Aggregator<Object, Object, Object> aggregator(Aggregator<Object, Object, Object> aggregator) {
    return new GuardedAggregator(aggregator, this::thrown);
  }

  Processor<Object, Object, Object, Object> processor(
      Processor<Object, Object, Object, Object> processor) {
    return new GuardedProcessor(processor, this::thrown);
  }

  Supplier<SinkWriter<Object, Object>> writer(Supplier<SinkWriter<Object, Object>> opening) {
    return () -> new GuardedWriter(opening.get(), this::thrown);
  }

  /** Turns what a function has thrown into what is thrown instead. */
  @FunctionalInterface
  interface Thrown {
    /** Rejects, or passes on what is no rejection. */
    RuntimeException instead(Exception failure);
  }
}
