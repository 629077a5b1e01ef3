package io.streamforge.bench;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** What a workload runs on. */
enum BenchEngine {
  /** The loop. */
  HAND("hand.HandJob", ""),
  /** Flink; what it opens of the JDK is what its own scripts open. */
  FLINK(
      "flink.FlinkJob",
      "lib-flink",
      "--add-opens=java.base/java.lang=ALL-UNNAMED",
      "--add-opens=java.base/java.util=ALL-UNNAMED",
      "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
      "--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED",
      "--add-opens=java.base/java.util.concurrent.locks=ALL-UNNAMED",
      "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
      "--add-opens=java.base/java.time=ALL-UNNAMED",
      "--add-opens=java.base/java.text=ALL-UNNAMED",
      "--add-opens=java.base/java.io=ALL-UNNAMED",
      "--add-opens=java.base/java.net=ALL-UNNAMED",
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"),
  /** Hazelcast Jet; what it opens of the JDK is what its manual asks for. */
  JET(
      "jet.JetJob",
      "lib-jet",
      "--add-modules=java.se",
      "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
      "--add-opens=java.base/java.lang=ALL-UNNAMED",
      "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
      "--add-opens=java.management/sun.management=ALL-UNNAMED",
      "--add-opens=jdk.management/com.sun.management.internal=ALL-UNNAMED"),
  /** The topology. */
  STREAMFORGE("forge.ForgeJob", "lib");

  private final String job;
  private final String libraries;
  private final List<String> flags;

  BenchEngine(String job, String libraries, String... flags) {
    this.job = job;
    this.libraries = libraries;
    this.flags = List.of(flags);
  }

  /** As in the results. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether this is another framework. */
  boolean peer() {
    return this == FLINK || this == JET;
  }

  /** Name of the class that runs workloads on it. */
  String jobClass() {
    return BenchEngine.class.getPackageName() + "." + job;
  }

  /** Flags of the JVM that it needs. */
  List<String> flags() {
    return flags;
  }

  /** Where its libraries are; it has no others. */
  Path libraries(Path target) {
    return target.resolve(libraries);
  }

  /** The benchmark's own classes and its libraries. */
  String classPath(Path target) {
    String classes = target.resolve("classes").toString();
    return libraries.isEmpty()
        ? classes
        : classes + File.pathSeparator + libraries(target) + File.separator + "*";
  }
}
