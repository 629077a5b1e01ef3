package io.streamforge.backend.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class EntryTreeTest {
  private static byte[] bytes(int number) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
  }

  private static List<Integer> keys(EntryTree tree) {
    List<Integer> keys = new ArrayList<>();
    EntryTree.Cursor cursor = tree.cursor(null, null);
    while (cursor.next()) {
      assertThat(cursor.value()).isSameAs(tree.get(cursor.key()));
      keys.add(ByteBuffer.wrap(cursor.key()).getInt());
    }
    return keys;
  }

  private static void isBalanced(EntryTree tree) {
    double logarithm = Math.log(tree.size() + 1) / Math.log(2);
    assertThat((double) tree.height()).isLessThanOrEqualTo(2.5 * logarithm);
  }

  @Test
  void treeStaysLowWhateverTheOrderOfChanges() {
    int count = 20_000;
    EntryTree upward = EntryTree.EMPTY;
    EntryTree downward = EntryTree.EMPTY;
    EntryTree fromBothEnds = EntryTree.EMPTY;
    for (int i = 0; i < count; i++) {
      upward = upward.with(bytes(i), bytes(i));
      downward = downward.with(bytes(count - i), bytes(i));
      fromBothEnds = fromBothEnds.with(bytes(i % 2 == 0 ? i : 2 * count - i), bytes(i));
    }
    for (EntryTree tree : List.of(upward, downward, fromBothEnds)) {
      assertThat(tree.size()).isEqualTo(count);
      assertThat(keys(tree)).isSorted().hasSize(count);
      isBalanced(tree);
    }
    for (int i = 0; i < count - 100; i++) {
      upward = upward.without(bytes(i));
    }
    assertThat(keys(upward)).hasSize(100).startsWith(count - 100).endsWith(count - 1);
    isBalanced(upward);
  }

  @Test
  void treeIsAMapAndAnEarlierTreeNeverChanges() {
    for (int seed = 0; seed < 30; seed++) {
      Random random = new Random(seed);
      EntryTree tree = EntryTree.EMPTY;
      TreeMap<Integer, byte[]> model = new TreeMap<>();
      EntryTree earlier = tree;
      List<Integer> earlierKeys = List.of();
      for (int step = 0; step < 3_000; step++) {
        int key = random.nextInt(1 + seed * 40);
        if (random.nextInt(1_000) < 500 + 400 * Math.sin(step / 500.0)) {
          byte[] value = bytes(step);
          tree = tree.with(bytes(key), value);
          model.put(key, value);
        } else {
          tree = tree.without(bytes(key));
          model.remove(key);
        }
        assertThat(tree.size()).isEqualTo(model.size());
        if (step == 1_500) {
          earlier = tree;
          earlierKeys = keys(tree);
        }
        isBalanced(tree);
      }
      assertThat(keys(tree)).containsExactlyElementsOf(model.keySet());
      for (int key : model.keySet()) {
        assertThat(tree.get(bytes(key))).isSameAs(model.get(key));
      }
      assertThat(keys(earlier)).isEqualTo(earlierKeys);
    }
  }

  @Test
  void treeOfListsHasTheirEntriesAndIsBalanced() {
    for (int count : new int[] {0, 1, 2, 3, 1_000}) {
      List<byte[]> sorted = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        sorted.add(bytes(i));
      }
      EntryTree tree = EntryTree.of(sorted, sorted);

      assertThat(tree.size()).isEqualTo(count);
      assertThat(keys(tree)).isSorted().hasSize(count);
      assertThat(tree.height()).isEqualTo(32 - Integer.numberOfLeadingZeros(count));
    }
  }

  @Test
  void removingWhatIsNotThereGivesTheSameTree() {
    EntryTree tree = EntryTree.EMPTY.with(bytes(1), bytes(1));

    assertThat(tree.without(bytes(2))).isSameAs(tree);
    assertThat(tree.without(bytes(1)).size()).isZero();
  }
}
