package io.streamforge.backend.memory;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Entries in the order of the bytes of their keys, unsigned. Immutable: a change makes another
 * tree, which shares with the one before all but the way to the entry. So whoever has a tree has a
 * snapshot.
 */
final class EntryTree {
  /*
   * A search tree balanced by weight: of two neighbouring subtrees neither has more than three
   * times the entries of the other, unless they have one together. The rotations and why three and
   * two are the numbers that keep it so: Hirai and Yamamoto, Balancing weight-balanced trees, 2011.
   * Its height is below 2.5 times the logarithm of the number of entries, so recursion is shallow.
   */
  private static final int HEAVIER = 3;
  private static final int SINGLE = 2;

  /** No entries. */
  static final EntryTree EMPTY = new EntryTree(null);

  private record Node(
      byte[] key, byte[] value, @Nullable Node left, @Nullable Node right, int size) {
    static Node of(byte[] key, byte[] value, @Nullable Node left, @Nullable Node right) {
      return new Node(
          key, value, left, right, Math.addExact(Math.addExact(count(left), count(right)), 1));
    }

    /** The same entry over other subtrees. */
    Node over(@Nullable Node newLeft, @Nullable Node newRight) {
      return of(key, value, newLeft, newRight);
    }
  }

  private final @Nullable Node root;

  private EntryTree(@Nullable Node root) {
    this.root = root;
  }

  /** The entries of two lists of one length, the first of which is in order. */
  static EntryTree of(List<byte[]> keys, List<byte[]> values) {
    return new EntryTree(balanced(keys, values, 0, keys.size()));
  }

  private static @Nullable Node balanced(
      List<byte[]> keys, List<byte[]> values, int first, int end) {
    if (first == end) {
      return null;
    }
    int middle = (first + end) >>> 1;
    return Node.of(
        keys.get(middle),
        values.get(middle),
        balanced(keys, values, first, middle),
        balanced(keys, values, middle + 1, end));
  }

  private static int count(@Nullable Node node) {
    return node == null ? 0 : node.size;
  }

  /** Number of entries. */
  int size() {
    return count(root);
  }

  /** The value of a key; null when it has none. */
  byte @Nullable [] get(byte[] key) {
    Node node = root;
    while (node != null) {
      int compared = Arrays.compareUnsigned(key, node.key);
      if (compared == 0) {
        return node.value;
      }
      node = compared < 0 ? node.left : node.right;
    }
    return null;
  }

  /** With this value of the key. */
  EntryTree with(byte[] key, byte[] value) {
    return new EntryTree(with(root, key, value));
  }

  private static Node with(@Nullable Node node, byte[] key, byte[] value) {
    if (node == null) {
      return Node.of(key, value, null, null);
    }
    int compared = Arrays.compareUnsigned(key, node.key);
    if (compared == 0) {
      return Node.of(key, value, node.left, node.right);
    }
    return compared < 0
        ? balance(node, with(node.left, key, value), node.right)
        : balance(node, node.left, with(node.right, key, value));
  }

  /** Without the key; the same tree when it is not there. */
  EntryTree without(byte[] key) {
    return get(key) == null ? this : new EntryTree(without(root, key));
  }

  private static @Nullable Node without(@Nullable Node node, byte[] key) {
    if (node == null) {
      return null;
    }
    int compared = Arrays.compareUnsigned(key, node.key);
    if (compared < 0) {
      return balance(node, without(node.left, key), node.right);
    }
    if (compared > 0) {
      return balance(node, node.left, without(node.right, key));
    }
    if (node.left == null || node.right == null) {
      return node.left == null ? node.right : node.left;
    }
    Node next = first(node.right);
    return balance(next, node.left, withoutFirst(node.right));
  }

  private static Node first(Node node) {
    Node first = node;
    while (first.left != null) {
      first = first.left;
    }
    return first;
  }

  private static @Nullable Node withoutFirst(Node node) {
    return node.left == null ? node.right : balance(node, withoutFirst(node.left), node.right);
  }

  /** The entry of a node over two subtrees, one of which may be too heavy by one entry. */
  private static Node balance(Node entry, @Nullable Node left, @Nullable Node right) {
    int leftCount = count(left);
    int rightCount = count(right);
    if (leftCount + rightCount <= 1) {
      return entry.over(left, right);
    }
    if (right != null && rightCount > HEAVIER * leftCount) {
      Node inner = right.left;
      return inner == null || count(inner) < SINGLE * count(right.right)
          ? right.over(entry.over(left, inner), right.right)
          : inner.over(entry.over(left, inner.left), right.over(inner.right, right.right));
    }
    if (left != null && leftCount > HEAVIER * rightCount) {
      Node inner = left.right;
      return inner == null || count(inner) < SINGLE * count(left.left)
          ? left.over(left.left, entry.over(inner, right))
          : inner.over(left.over(left.left, inner.left), entry.over(inner.right, right));
    }
    return entry.over(left, right);
  }

  /** Entries on the longest way down. */
  int height() {
    return height(root);
  }

  private static int height(@Nullable Node node) {
    return node == null ? 0 : 1 + Math.max(height(node.left), height(node.right));
  }

  /**
   * A walk in order.
   *
   * @param from the first key that may be in it; null: the first of all
   * @param to the key before which it ends; null: none
   */
  Cursor cursor(byte @Nullable [] from, byte @Nullable [] to) {
    return new Cursor(root, from, to);
  }

  /** Stands before the first entry at first. */
  static final class Cursor {
    /** Those still to come whose left subtrees have been or are not wanted; the next on top. */
    private final Deque<Node> ahead = new ArrayDeque<>();

    private final byte @Nullable [] to;
    private @Nullable Node current;

    private Cursor(@Nullable Node root, byte @Nullable [] from, byte @Nullable [] to) {
      this.to = to;
      Node node = root;
      while (node != null) {
        if (from != null && Arrays.compareUnsigned(node.key, from) < 0) {
          node = node.right;
        } else {
          ahead.push(node);
          node = node.left;
        }
      }
    }

    /** Goes to the next entry; false when there is none. */
    boolean next() {
      Node next = ahead.poll();
      if (next == null || (to != null && Arrays.compareUnsigned(next.key, to) >= 0)) {
        ahead.clear();
        current = null;
        return false;
      }
      for (Node node = next.right; node != null; node = node.left) {
        ahead.push(node);
      }
      current = next;
      return true;
    }

    byte[] key() {
      return there().key;
    }

    byte[] value() {
      return there().value;
    }

    private Node there() {
      Node node = current;
      if (node == null) {
        throw new IllegalStateException("the walk does not stand on an entry");
      }
      return node;
    }
  }
}
