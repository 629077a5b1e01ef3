package io.streamforge.bench.soak;

import io.streamforge.bench.forge.ForgeJob;
import io.streamforge.bench.workload.Feed;
import io.streamforge.bench.workload.Workload;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/** Starts and closes jobs: the threads, class loaders and classes of one must go with it. */
final class ManyJobs {
  private static final int PARALLELISM = 2;
  private static final int RECORDS = 2_000;
  private static final List<String> WORKLOADS = List.of("W1", "W2", "W3", "W4-1s", "W5");

  /** By then everything that is loaded once has been. */
  private static final int FIRST = 25;

  /** Classes that reflection and the JVM make on their own behalf. */
  private static final int CLASSES_OF_THE_JVM = 100;

  private ManyJobs() {}

  /** What is wrong. */
  static List<String> run(int jobs) throws Exception {
    for (int i = 0; i < FIRST; i++) {
      one(i);
    }
    Threads threads = Threads.now();
    long loaders = loaders();
    long classes = classes();
    for (int i = 0; i < jobs; i++) {
      one(i);
    }
    List<String> complaints = new ArrayList<>();
    threads.left().forEach(name -> complaints.add("thread '" + name + "' outlives its job"));
    long loadersLeft = loaders() - loaders;
    long classesLeft = classes() - classes;
    System.out.printf(
        "%d jobs: %d class loaders and %d classes more than before, %,d classes unloaded%n",
        jobs,
        loadersLeft,
        classesLeft,
        ManagementFactory.getClassLoadingMXBean().getUnloadedClassCount());
    if (loadersLeft > 0) {
      complaints.add(loadersLeft + " class loaders outlive their jobs");
    }
    if (classesLeft > CLASSES_OF_THE_JVM) {
      complaints.add(classesLeft + " classes outlive their jobs");
    }
    return complaints;
  }

  private static void one(int number) throws Exception {
    Feed.begin(RECORDS);
    new ForgeJob().run(Workload.of(WORKLOADS.get(number % WORKLOADS.size())), PARALLELISM);
  }

  private static long classes() {
    return ManagementFactory.getClassLoadingMXBean().getLoadedClassCount();
  }

  /** Those of hidden classes and of reflection are not counted. */
  private static long loaders() throws JMException, InterruptedException {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(100);
    }
    String statistics =
        (String)
            ManagementFactory.getPlatformMBeanServer()
                .invoke(
                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                    "vmClassloaderStats",
                    new Object[] {new String[0]},
                    new String[] {String[].class.getName()});
    return statistics.lines().filter(ManyJobs::isLoader).count();
  }

  private static final Pattern LOADER =
      Pattern.compile("^0x[0-9a-f]+ +0x[0-9a-f]+ +0x[0-9a-f]+ +\\d+ +\\d+ +\\d+ +(.*)$");

  private static boolean isLoader(String line) {
    Matcher matcher = LOADER.matcher(line);
    return matcher.matches() && !matcher.group(1).contains("jdk.internal.reflect");
  }
}
