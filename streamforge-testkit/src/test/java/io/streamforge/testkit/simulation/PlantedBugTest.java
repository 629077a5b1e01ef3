package io.streamforge.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulator finds mistakes. */
class PlantedBugTest {
  @ParameterizedTest
  @EnumSource
  void plantedBugIsFoundWithinTheSeedsThatItStates(PlantedBug bug) {
    boolean found =
        LongStream.range(0, bug.seeds())
            .anyMatch(seed -> !Simulate.outcome(seed, bug).violations().isEmpty());

    assertThat(found).as(bug.id()).isTrue();
    assertThat(PlantedBug.of(bug.id())).hasValue(bug);
  }
}
