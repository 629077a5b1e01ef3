package io.streamforge.runtime.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BarrierAlignerTest {
  @Test
  void anInputThatHasBroughtTheBarrierIsHeldUntilAllHave() {
    BarrierAligner aligner = new BarrierAligner(3, true);

    aligner.barrier(1, 7);
    assertThat(aligner.held(1)).isTrue();
    assertThat(aligner.held(0)).isFalse();
    assertThat(aligner.complete()).isZero();

    aligner.barrier(0, 7);
    aligner.barrier(2, 7);
    assertThat(aligner.complete()).isEqualTo(7);

    aligner.settle(7);
    assertThat(aligner.complete()).isZero();
    assertThat(List.of(aligner.held(0), aligner.held(1), aligner.held(2))).containsOnly(false);
  }

  @Test
  void withoutHoldingTheCheckpointIsCompleteWhenAllHaveBroughtTheBarrier() {
    BarrierAligner aligner = new BarrierAligner(2, false);

    aligner.barrier(0, 7);
    assertThat(aligner.held(0)).isFalse();
    assertThat(aligner.hasBrought(0, 7)).isTrue();
    assertThat(aligner.hasBrought(1, 7)).isFalse();
    assertThat(aligner.complete()).isZero();

    aligner.barrier(1, 7);
    assertThat(aligner.complete()).isEqualTo(7);
    aligner.settle(7);
    assertThat(aligner.hasBrought(0, 7)).isFalse();
  }

  @Test
  void anInputThatHasEndedIsNotWaitedFor() {
    BarrierAligner aligner = new BarrierAligner(2, true);
    aligner.end(0);
    aligner.barrier(1, 1);
    assertThat(aligner.complete()).isEqualTo(1);
    aligner.settle(1);

    aligner.barrier(1, 2);
    assertThat(aligner.complete()).isEqualTo(2);
  }

  @Test
  void anInputThatEndsWhileTheOthersWaitCompletesTheCheckpoint() {
    BarrierAligner aligner = new BarrierAligner(2, true);
    aligner.barrier(1, 4);
    assertThat(aligner.complete()).isZero();

    aligner.end(0);
    assertThat(aligner.complete()).isEqualTo(4);
  }

  @Test
  void anInputThatBringsTheBarrierAndEndsCountsOnce() {
    BarrierAligner aligner = new BarrierAligner(2, true);
    aligner.barrier(0, 4);
    aligner.end(0);
    assertThat(aligner.complete()).isZero();
  }

  /** C09: the barrier of a checkpoint that was given up may still wait in some channel. */
  @Test
  void c09ABarrierOfALaterCheckpointSupersedesAStaleOne() {
    BarrierAligner aligner = new BarrierAligner(3, true);
    aligner.barrier(0, 5);
    aligner.settle(5);
    assertThat(aligner.held(0)).isFalse();

    aligner.barrier(0, 6);
    aligner.barrier(1, 5);
    assertThat(aligner.held(1)).as("held by a stale barrier").isFalse();
    aligner.barrier(1, 6);
    aligner.barrier(2, 5);
    aligner.barrier(2, 6);
    assertThat(aligner.complete()).isEqualTo(6);
  }

  @Test
  void aLaterBarrierReleasesInputsThatWaitForAnEarlierOne() {
    BarrierAligner aligner = new BarrierAligner(3, true);
    aligner.barrier(0, 5);
    aligner.barrier(1, 6);
    assertThat(aligner.held(0)).isFalse();
    assertThat(aligner.held(1)).isTrue();

    aligner.barrier(2, 5);
    assertThat(aligner.held(2)).isFalse();
  }

  @Test
  void aCheckpointThatIsGivenUpReleasesWhatIsHeld() {
    BarrierAligner aligner = new BarrierAligner(2, true);
    aligner.barrier(0, 3);
    aligner.settle(2);
    assertThat(aligner.held(0)).as("by an earlier one").isTrue();
    aligner.settle(3);
    assertThat(aligner.held(0)).isFalse();
    aligner.barrier(1, 3);
    assertThat(aligner.complete()).isZero();
  }

  /** Each input reads its own sequence; whatever the interleaving, the cut is the same. */
  @Test
  void whateverTheInterleavingEachCheckpointHasWhatCameBeforeItsBarrier() {
    for (int seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      int inputs = 1 + random.nextInt(4);
      int checkpoints = 3;
      // Negative: a record. Positive: a barrier. Then the end.
      List<List<Integer>> sequences = new ArrayList<>();
      int[][] expected = new int[checkpoints + 1][inputs];
      for (int i = 0; i < inputs; i++) {
        List<Integer> sequence = new ArrayList<>();
        int endsAfter = random.nextInt(checkpoints + 2);
        int records = 0;
        for (int c = 1; c <= checkpoints; c++) {
          if (c <= endsAfter) {
            for (int r = random.nextInt(3); r > 0; r--) {
              sequence.add(-1);
              records++;
            }
            sequence.add(c);
          }
          expected[c][i] = records;
        }
        sequences.add(sequence);
      }
      BarrierAligner aligner = new BarrierAligner(inputs, true);
      int[] at = new int[inputs];
      int[] records = new int[inputs];
      boolean[] ended = new boolean[inputs];
      int open = inputs;
      long taken = 0;
      while (open > 0 || aligner.complete() != 0) {
        long complete = aligner.complete();
        if (complete != 0) {
          assertThat(records)
              .as("seed %d, checkpoint %d", seed, complete)
              .isEqualTo(expected[(int) complete]);
          assertThat(complete).isGreaterThan(taken);
          taken = complete;
          aligner.settle(complete);
          continue;
        }
        int input = random.nextInt(inputs);
        if (ended[input] || aligner.held(input)) {
          continue;
        }
        if (at[input] == sequences.get(input).size()) {
          ended[input] = true;
          open--;
          aligner.end(input);
          continue;
        }
        int next = sequences.get(input).get(at[input]++);
        if (next < 0) {
          records[input]++;
        } else {
          aligner.barrier(input, next);
        }
      }
    }
  }
}
