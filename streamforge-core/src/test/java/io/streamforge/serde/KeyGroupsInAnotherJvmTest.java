package io.streamforge.serde;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class KeyGroupsInAnotherJvmTest {
  private record Place(String city, DayOfWeek day, int[] numbers, Double weight) {}

  @Test
  void a03EnumAndRecordKeysHaveTheSameGroupInAnotherJvm() throws Exception {
    List<String> here = groups();
    List<String> there = runMain();
    assertThat(there).isEqualTo(here);
    assertThat(here).hasSizeGreaterThan(100);
    assertThat(new TreeSet<>(here)).hasSizeGreaterThan(80);
  }

  /** Prints the groups, one a line. */
  public static void main(String[] arguments) {
    groups().forEach(System.out::println);
  }

  private static List<String> groups() {
    KeyKind<DayOfWeek> days = KeyKinds.of(Serdes.enumOf(DayOfWeek.class));
    KeyKind<Place> places = KeyKinds.of(Serdes.of(Place.class));
    KeyKind<String> strings = KeyKinds.of(Serdes.string());
    KeyKind<byte[]> arrays = KeyKinds.of(Serdes.bytes());
    List<Long> hashes = new ArrayList<>();
    for (DayOfWeek day : DayOfWeek.values()) {
      hashes.add(days.hash(day));
      for (int i = 0; i < 20; i++) {
        hashes.add(places.hash(new Place("city-" + i, day, new int[] {i}, i / 3.0)));
      }
      hashes.add(strings.hash(day.name()));
      hashes.add(arrays.hash(day.name().getBytes(StandardCharsets.UTF_8)));
    }
    return hashes.stream().map(hash -> Integer.toString(KeyGroups.of(hash, 1024))).toList();
  }

  private static List<String> runMain() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UnlockExperimentalVMOptions",
                "-XX:hashCode=0", // identity hashes of another kind
                "-cp",
                System.getProperty("java.class.path"),
                KeyGroupsInAnotherJvmTest.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (InputStream output = process.getInputStream()) {
      List<String> lines =
          new String(output.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      assertThat(process.waitFor()).isZero();
      return lines;
    }
  }
}
