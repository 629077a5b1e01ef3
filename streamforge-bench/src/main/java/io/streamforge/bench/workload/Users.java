package io.streamforge.bench.workload;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Whose record an index is. The users of a workload are 0, 1, … */
@FunctionalInterface
public interface Users {
  /** The user of an index. */
  long of(long index);

  /** All equally often. */
  static Users uniform(long users) {
    return index -> Mix.below(Mix.of(index), users);
  }

  /** User 0 has nine records of ten; the others share the rest. */
  static Users hot(long users) {
    return index -> {
      long mixed = Mix.of(index);
      // The lower half of a mixed number is good enough to tell nine of ten.
      return (mixed & 0xFFFF) < 58_982 ? 0 : Mix.below(mixed, users);
    };
  }

  /**
   * 10,000 users active in bursts, so that sessions close: at any moment an eighth of them, each
   * for a second of event time, with 80 records on average, and then silent for seven.
   */
  static Users bursts() {
    // Constants, because a division by a variable would cost more than all the rest.
    return index -> {
      long user =
          index / (8 * Times.PER_SECOND / 10_000) % 10_000 + Mix.below(Mix.of(index), 1_250);
      return user >= 10_000 ? user - 10_000 : user;
    };
  }

  /** Each user once in every so many records, in an order that no cache likes. */
  static Users everyOne(long users) {
    // A prime that divides none of the sizes in use, so that the products are a permutation.
    return index -> index % users * 7_368_787L % users;
  }

  /** Each user once, in the order of {@link #everyOne}, and from then on as {@code then} says. */
  static Users allBefore(long users, Users then) {
    Users once = everyOne(users);
    return index -> index < users ? once.of(index) : then.of(index);
  }

  /** As {@code maker} says, which is asked when the first index is: what it makes may be large. */
  static Users lazily(Supplier<Users> maker) {
    return new Users() {
      private volatile @Nullable Users made;

      @Override
      public long of(long index) {
        Users users = made;
        return (users == null ? make() : users).of(index);
      }

      private synchronized Users make() {
        Users users = made;
        if (users == null) {
          users = maker.get();
          made = users;
        }
        return users;
      }
    };
  }

  /**
   * A user of rank r, counted from 1, is drawn with a probability of r to the power of −{@code
   * exponent}.
   */
  static Users zipf(int users, double exponent) {
    long[] table = AliasTable.zipf(users, exponent);
    return index -> AliasTable.draw(table, Mix.of(index));
  }
}
