package io.streamforge.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UsersTest {
  private static final int RECORDS = 2_000_000;

  private static long[] counts(Users users, int count) {
    long[] counts = new long[count];
    for (long index = 0; index < RECORDS; index++) {
      counts[(int) users.of(index)]++;
    }
    Arrays.sort(counts);
    return counts;
  }

  @Test
  void zipfUsersAreAsFrequentAsTheirRanksSay() {
    double sum = 0;
    for (int rank = 1; rank <= 10_000; rank++) {
      sum += Math.pow(rank, -1.2);
    }

    long[] counts = counts(Users.zipf(10_000, 1.2), 10_000);

    for (int rank : new int[] {1, 2, 3, 10, 100}) {
      double expected = Math.pow(rank, -1.2) / sum;
      assertThat((double) counts[10_000 - rank] / RECORDS)
          .isCloseTo(expected, within(expected * 0.05));
    }
  }

  @Test
  void hotUserHasNineRecordsOfTen() {
    assertThat((double) counts(Users.hot(10_000), 10_000)[9_999] / RECORDS)
        .isCloseTo(0.9, within(0.002));
  }

  @Test
  void usersThatAreAllLoadedFirstAreThenDrawn() {
    Users users = Users.allBefore(5_000, Users.lazily(() -> Users.hot(5_000)));
    Set<Long> seen = new HashSet<>();
    for (long index = 0; index < 5_000; index++) {
      seen.add(users.of(index));
    }

    assertThat(seen).hasSize(5_000);
    assertThat(users.of(5_000)).isEqualTo(Users.hot(5_000).of(5_000));
    assertThat(users.of(5_001)).isEqualTo(Users.hot(5_000).of(5_001));
  }

  @Test
  void everyUserOccursBeforeAnyOccursTwice() {
    Users users = Users.everyOne(5_000);
    Set<Long> seen = new HashSet<>();
    for (long index = 0; index < 5_000; index++) {
      seen.add(users.of(index));
    }
    assertThat(seen).hasSize(5_000);
  }

  @Test
  void burstsAreFarEnoughApartForSessionsToCloseAndDenseEnoughNotToCloseBefore() {
    Users users = Users.bursts();
    Times times = new Times(0);
    long[] last = new long[10_000];
    Arrays.fill(last, -1);
    int sessions = 0;
    for (long index = 0; index < RECORDS; index++) {
      int user = (int) users.of(index);
      long gapMillis = times.of(index) - last[user];
      if (last[user] >= 0) {
        assertThat(gapMillis < 400 || gapMillis > 6_000).as("gap of %d", gapMillis).isTrue();
        sessions += gapMillis > 6_000 ? 1 : 0;
      }
      last[user] = times.of(index);
    }
    // 20 seconds of event time; 1,250 users a second return, the first after seven seconds.
    assertThat(sessions).isBetween(16_000, 16_300);
  }
}
