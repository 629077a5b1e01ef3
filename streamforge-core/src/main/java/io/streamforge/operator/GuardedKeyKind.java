package io.streamforge.operator;

import io.streamforge.serde.KeyKind;
import io.streamforge.serde.Serde;
import io.streamforge.specialise.Specialised;

/** Keys that a serde of the user's may be unable to write. */
@Specialised
final class GuardedKeyKind implements KeyKind<Object> {
  private final KeyKind<Object> kind;
  private final Guard.Thrown thrown;

  GuardedKeyKind(KeyKind<Object> kind, Guard.Thrown thrown) {
    this.kind = kind;
    this.thrown = thrown;
  }

  @Override
  public long hash(Object key) {
    try {
      return kind.hash(key);
    } catch (RuntimeException e) {
      throw thrown.instead(e);
    }
  }

  @Override
  public boolean hashIsKey() {
    return kind.hashIsKey();
  }

  @Override
  public Object keyOf(long hash) {
    return kind.keyOf(hash);
  }

  @Override
  public boolean same(Object left, Object right) {
    return kind.same(left, right);
  }

  @Override
  public int compare(Object left, Object right) {
    return kind.compare(left, right);
  }

  @Override
  public Serde<Object> serde() {
    return kind.serde();
  }
}
