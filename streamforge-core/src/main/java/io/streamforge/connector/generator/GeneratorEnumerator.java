package io.streamforge.connector.generator;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.source.Split;
import io.streamforge.source.SplitEnumerator;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Deals the elements of a generator out to splits, once: the splits of a checkpoint have all
 * elements, whatever number there would be now.
 */
final class GeneratorEnumerator implements SplitEnumerator {
  private final int splits;
  private boolean done;

  GeneratorEnumerator(int splits) {
    this.splits = splits;
  }

  @Override
  public void restore(List<Split> known) {
    Set<GeneratorCursor.Share> shares = new HashSet<>();
    Set<Integer> numbers = new HashSet<>();
    for (Split split : known) {
      GeneratorCursor.Share share = GeneratorCursor.Share.parse(split.id());
      if (share == null) {
        throw notOfAGenerator(known);
      }
      shares.add(share);
      numbers.add(share.splits());
    }
    if (numbers.size() != 1 || !numbers.contains(shares.size())) {
      throw notOfAGenerator(known);
    }
    done = true;
  }

  private static StreamForgeException notOfAGenerator(List<Split> known) {
    return new StreamForgeException(
        ErrorCode.STATE_INCOMPATIBLE,
        ErrorContext.NONE,
        "the checkpoint has positions in splits that are not those of one generator: "
            + String.join(", ", known.stream().map(split -> "'" + split.id() + "'").toList()),
        "Make the source what it was; or, to read this one from its beginning, give its node"
            + " another name, and name the old one in checkpoints.dropping.",
        null);
  }

  @Override
  public List<Split> discover() {
    List<Split> found = new ArrayList<>();
    for (int i = 0; i < splits && !done; i++) {
      found.add(new Split(new GeneratorCursor.Share(i, splits).toString(), 0));
    }
    done = true;
    return found;
  }
}
