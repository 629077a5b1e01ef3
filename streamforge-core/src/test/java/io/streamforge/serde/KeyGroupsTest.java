package io.streamforge.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyGroupsTest {
  private static final BigInteger TWO_TO_64 = BigInteger.ONE.shiftLeft(64);

  @Test
  void groupIsTheScaledUnsignedHash() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      long hash = i == 0 ? -1 : random.nextLong();
      int groups = i % 3 == 0 ? Integer.MAX_VALUE : 1 + random.nextInt(2000);
      BigInteger expected = unsigned(hash).multiply(BigInteger.valueOf(groups)).shiftRight(64);
      assertThat(KeyGroups.of(hash, groups)).isEqualTo(expected.intValueExact());
    }
  }

  @Test
  void groupsOfKnownHashesNeverChange() {
    assertThat(KeyGroups.of(0, 1024)).isZero();
    assertThat(KeyGroups.of(0x7FFF_FFFF_FFFF_FFFFL, 1024)).isEqualTo(511);
    assertThat(KeyGroups.of(0x8000_0000_0000_0000L, 1024)).isEqualTo(512);
    assertThat(KeyGroups.of(-1, 1024)).isEqualTo(1023);
    assertThat(KeyGroups.of(0x5555_5555_5555_5555L, 3)).isZero();
    assertThat(KeyGroups.of(0x5555_5555_5555_5556L, 3)).isEqualTo(1);
  }

  @Test
  void firstHashIsTheSmallestOfItsGroup() {
    for (int groups : new int[] {1, 2, 3, 7, 128, 1000, 1024, 32_767, Integer.MAX_VALUE}) {
      for (long next = 0; next < groups; next += Math.max(1, groups / 97)) {
        int group = (int) next;
        long first = KeyGroups.firstHash(group, groups);
        assertThat(KeyGroups.of(first, groups)).isEqualTo(group);
        if (group > 0) {
          assertThat(KeyGroups.of(first - 1, groups)).isEqualTo(group - 1);
        } else {
          assertThat(first).isZero();
        }
      }
    }
  }

  @Test
  void tasksOwnContiguousRangesThatCoverAllGroups() {
    for (int groups : new int[] {1, 2, 5, 16, 1000, 1024}) {
      for (int parallelism = 1; parallelism <= groups; parallelism += Math.max(1, groups / 40)) {
        assertThat(KeyGroups.firstGroup(0, parallelism, groups)).isZero();
        assertThat(KeyGroups.firstGroup(parallelism, parallelism, groups)).isEqualTo(groups);
        for (int task = 0; task < parallelism; task++) {
          int first = KeyGroups.firstGroup(task, parallelism, groups);
          int end = KeyGroups.firstGroup(task + 1, parallelism, groups);
          assertThat(end - first)
              .isBetween(groups / parallelism, (groups + parallelism - 1) / parallelism);
          for (int group = first; group < end; group++) {
            assertThat(KeyGroups.taskOf(group, parallelism, groups)).isEqualTo(task);
          }
        }
      }
    }
  }

  @Test
  void moreTasksThanGroupsAreRefused() {
    assertThatThrownBy(() -> KeyGroups.taskOf(0, 3, 2))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KeyGroups.firstGroup(0, 0, 2))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> KeyGroups.taskOf(2, 1, 2))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static BigInteger unsigned(long value) {
    BigInteger signed = BigInteger.valueOf(value);
    return value < 0 ? signed.add(TWO_TO_64) : signed;
  }
}
