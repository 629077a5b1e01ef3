package io.streamforge;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.streamforge.operator.Operator;
import io.streamforge.specialise.Specialised;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Who may import whom, and who may touch the clock, the console and randomness. A failure names the
 * class and line that break a rule: move the code, or change the table here together with the one
 * in {@code docs/architecture.md}, in the same change, and say why.
 */
class ArchitectureTest {
  private static final String ROOT = "io.streamforge";

  /** What users name in their code. */
  private static final List<String> API =
      List.of("record", "time", "serde", "error", "function", "window", "state", "source", "sink");

  /** What each package may import besides itself, the packages below it, and the API. */
  private static final Map<String, List<String>> MAY_IMPORT =
      Map.ofEntries(
          Map.entry("config", List.of()),
          Map.entry("metrics", List.of()),
          Map.entry("scheduler", List.of()),
          Map.entry("specialise", List.of()),
          Map.entry("graph", List.of()),
          Map.entry("plan", List.of("graph")),
          Map.entry("backend", List.of("specialise")),
          Map.entry("storage", List.of()),
          Map.entry("operator", List.of("graph", "metrics", "specialise")),
          Map.entry("checkpoint", List.of("storage", "backend", "scheduler", "metrics")),
          Map.entry(
              "runtime",
              List.of(
                  "plan",
                  "graph",
                  "operator",
                  "checkpoint",
                  "backend",
                  "scheduler",
                  "specialise",
                  "config",
                  "metrics")),
          Map.entry("connector", List.of()));

  /** Who may ask the time, wait, or draw random numbers: everyone else is given them. */
  private static final Set<String> OWNERS_OF_TIME_AND_CHANCE =
      Set.of(
          ROOT + ".scheduler.SystemClock",
          ROOT + ".scheduler.Worker",
          ROOT + ".scheduler.Watchdog");

  /** Who may write to the console. */
  private static final Set<String> OWNERS_OF_THE_CONSOLE =
      Set.of(ROOT + ".connector.stdout.StdoutSink");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  private static String below(String name) {
    return ROOT + "." + name + "..";
  }

  private static String[] allowed(String name, List<String> more) {
    List<String> packages = new ArrayList<>();
    API.forEach(api -> packages.add(below(api)));
    more.forEach(other -> packages.add(below(other)));
    packages.add(below(name));
    return packages.toArray(new String[0]);
  }

  static Stream<String> packages() {
    return MAY_IMPORT.keySet().stream().sorted();
  }

  @ParameterizedTest
  @MethodSource("packages")
  void packageImportsOnlyWhatTheTableAllows(String name) {
    noClasses()
        .that()
        .resideInAPackage(below(name))
        .should()
        .dependOnClassesThat(
            resideInAPackage(ROOT + "..")
                .and(not(resideInAnyPackage(allowed(name, MAY_IMPORT.get(name))))))
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void apiImportsOnlyTheApi() {
    for (String api : API) {
      noClasses()
          .that()
          .resideInAPackage(below(api))
          .should()
          .dependOnClassesThat(
              resideInAPackage(ROOT + "..").and(not(resideInAnyPackage(allowed(api, List.of())))))
          .check(CLASSES);
    }
  }

  @Test
  void builderImportsOnlyTheApiTheGraphAndThePlan() {
    noClasses()
        .that()
        .resideInAPackage(ROOT)
        .should()
        .dependOnClassesThat(
            resideInAPackage(ROOT + "..")
                .and(not(resideInAPackage(ROOT)))
                .and(not(resideInAnyPackage(allowed("graph", List.of("plan"))))))
        .check(CLASSES);
  }

  @Test
  void connectorsDoNotImportEachOther() {
    slices()
        .matching(ROOT + ".connector.(*)..")
        .should()
        .notDependOnEachOther()
        .allowEmptyShould(true)
        .check(CLASSES);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void everyPackageIsInTheTable() {
    Set<String> known = new LinkedHashSet<>(API);
    known.addAll(MAY_IMPORT.keySet());
    known.add("engine");
    Set<String> found = new TreeSet<>();
    for (JavaClass type : CLASSES) {
      String name = type.getPackageName();
      if (name.startsWith(ROOT + ".")) {
        found.add(name.substring(ROOT.length() + 1).split("\\.")[0]);
      }
    }

    assertThat(known).containsAll(found);
  }

  @Test
  void coreNeedsNoConnectorLibraries() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "org.apache.kafka..",
                "org.rocksdb..",
                "software.amazon..",
                "com.fasterxml..",
                "tools.jackson..",
                "io.grpc..",
                "java.net.http.."))
        .check(CLASSES);
  }

  @Test
  void onlyOwnersAskTheTimeWaitOrDrawRandomNumbers() {
    classes()
        .should(
            notCall(
                OWNERS_OF_TIME_AND_CHANCE,
                Set.of(
                    "java.lang.System.currentTimeMillis",
                    "java.lang.System.nanoTime",
                    "java.lang.Thread.sleep",
                    "java.lang.Thread.onSpinWait",
                    "java.lang.Math.random",
                    "java.util.UUID.randomUUID",
                    "java.util.concurrent.ThreadLocalRandom.current",
                    "java.util.concurrent.locks.LockSupport.park",
                    "java.util.concurrent.locks.LockSupport.parkNanos",
                    "java.util.concurrent.locks.LockSupport.parkUntil"),
                true))
        .check(CLASSES);
  }

  @Test
  void onlyOwnersPrint() {
    classes()
        .should(
            notCall(
                OWNERS_OF_THE_CONSOLE,
                Set.of(
                    "java.lang.System.out",
                    "java.lang.System.err",
                    "java.lang.Throwable.printStackTrace",
                    "java.lang.Thread.dumpStack"),
                false))
        .check(CLASSES);
  }

  /**
   * A node's copies are in a run-time package of their own: what is not public fails at run time.
   */
  @Test
  void specialisedClassesUseOnlyWhatIsPublicOutside() {
    classes()
        .that(ARE_SPECIALISED)
        .should(
            new ArchCondition<>("use only public members of classes that are not specialised") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                for (JavaAccess<?> access : type.getAccessesFromSelf()) {
                  JavaClass owner = access.getTargetOwner();
                  boolean outside = owner.getName().startsWith(ROOT) && !isSpecialised(owner);
                  boolean open =
                      owner.getModifiers().contains(JavaModifier.PUBLIC)
                          && access
                              .getTarget()
                              .resolveMember()
                              .map(member -> member.getModifiers().contains(JavaModifier.PUBLIC))
                              .orElse(true);
                  if (outside && !open) {
                    events.add(SimpleConditionEvent.violated(access, access.getDescription()));
                  }
                }
              }
            })
        .check(CLASSES);
  }

  /** Else some nodes would meet the shared class, and a cast between the two would fail. */
  @Test
  void onlyTheirMakersKnowSpecialisedClasses() {
    noClasses()
        .that(not(ARE_SPECIALISED))
        .and()
        .doNotHaveFullyQualifiedName(ROOT + ".operator.Operators")
        .and()
        .doNotHaveFullyQualifiedName(ROOT + ".runtime.task.TaskParts")
        .and()
        .doNotHaveFullyQualifiedName(ROOT + ".runtime.source.SourceInputs")
        .and()
        .doNotHaveFullyQualifiedName(ROOT + ".backend.memory.MemoryBackend")
        .should()
        .dependOnClassesThat(ARE_SPECIALISED)
        .check(CLASSES);
  }

  @Test
  void everyOperatorIsSpecialised() {
    classes()
        .that()
        .implement(Operator.class)
        // Stands around operators only for a while after some restarts.
        .and()
        .haveNameNotMatching(".*[.]GroupTimesOperator([$].*)?")
        .should(
            new ArchCondition<>("be specialised") {
              @Override
              public void check(JavaClass type, ConditionEvents events) {
                if (!isSpecialised(type)) {
                  events.add(SimpleConditionEvent.violated(type, type.getName() + " is not"));
                }
              }
            })
        .check(CLASSES);
  }

  private static final DescribedPredicate<JavaClass> ARE_SPECIALISED =
      DescribedPredicate.describe("are specialised", ArchitectureTest::isSpecialised);

  private static boolean isSpecialised(JavaClass type) {
    JavaClass outermost = type;
    while (outermost.getEnclosingClass().isPresent()) {
      outermost = outermost.getEnclosingClass().get();
    }
    return outermost.isAnnotatedWith(Specialised.class);
  }

  /**
   * Refuses some members to all classes but their owners; with {@code time} also every {@code now}
   * of {@code java.time} and generators of random numbers without a seed.
   */
  private static ArchCondition<JavaClass> notCall(
      Set<String> owners, Set<String> members, boolean time) {
    return new ArchCondition<>("leave " + new TreeSet<>(members) + " to " + new TreeSet<>(owners)) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        if (owners.stream().anyMatch(owner -> isOrIsIn(type.getName(), owner))) {
          return;
        }
        for (JavaAccess<?> access : type.getAccessesFromSelf()) {
          String owner = access.getTargetOwner().getName();
          String member = owner + "." + access.getName();
          boolean refused = members.contains(member);
          if (time) {
            refused |= owner.startsWith("java.time.") && access.getName().equals("now");
            refused |= owner.equals("java.time.Clock") && access.getName().startsWith("system");
            refused |= unseeded(access, owner);
          }
          if (refused) {
            events.add(SimpleConditionEvent.violated(access, access.getDescription()));
          }
        }
      }
    };
  }

  private static boolean isOrIsIn(String type, String owner) {
    return type.equals(owner) || type.startsWith(owner + "$");
  }

  private static boolean unseeded(JavaAccess<?> access, String owner) {
    return (owner.equals("java.util.Random") || owner.equals("java.util.SplittableRandom"))
        && access.getTarget().getFullName().endsWith("<init>()");
  }
}
