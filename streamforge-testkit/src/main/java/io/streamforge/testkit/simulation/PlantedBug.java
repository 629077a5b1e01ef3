package io.streamforge.testkit.simulation;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Mistakes that the simulator has to find. Each is planted around the engine's parts, where they
 * meet, and not in them.
 */
public enum PlantedBug {
  COMMIT_BEFORE_PUBLISH(
      "a writer commits what it has just prepared", 20, ReportPlantings.CommitBeforePublish::new),
  FORGOTTEN_GROUP(
      "the first key groups of a node are not restored", 40, StatePlantings.ForgottenGroup::new),
  BARRIER_OVERTAKES(
      "tasks take a checkpoint before its barrier has come",
      20,
      ReportPlantings.BarrierOvertakes::new),
  IN_FLIGHT_FORGOTTEN(
      "records that barriers have overtaken are not part of checkpoints",
      20,
      ReportPlantings.InFlightForgotten::new),
  OVERTAKEN_RECORD_TWICE(
      "records that barriers have overtaken are there twice",
      20,
      ReportPlantings.OvertakenTwice::new),
  WATERMARK_NOT_SAVED(
      "event time of operators is not part of checkpoints",
      100,
      ReportPlantings.WatermarkNotSaved::new),
  ALIASED_SNAPSHOT(
      "what is written is the state as it has become since",
      120,
      StatePlantings.AliasedSnapshot::new),
  EARLY_CLEANUP(
      "what the next checkpoint does not need goes before that is published",
      250,
      StoragePlantings.EarlyCleanup::new),
  DIRTY_BITS_LOST_ON_ABORT(
      "a checkpoint that was given up counts as the base of the next",
      600,
      StatePlantings.DirtyBitsLost::new),
  PREPARE_NOT_CARRIED(
      "what was prepared for a checkpoint that was given up is in no later one",
      300,
      ReportPlantings.PrepareNotCarried::new),
  NO_LIST_AFTER_CREATE(
      "a process does not see entries of the log above its own",
      300,
      StoragePlantings.NoListAfterCreate::new),
  PUBLISH_BEFORE_SYNC(
      "objects are not synced before they are published",
      50,
      StoragePlantings.PublishBeforeSync::new),
  POSITION_OF_FETCHED(
      "positions of splits are ahead of what was processed",
      20,
      ReportPlantings.PositionOfFetched::new),
  STALE_BARRIER_COMPLETES(
      "a report of a checkpoint that was given up counts for the next",
      300,
      ReportPlantings.StaleReport::new),
  REUSE_OF_NUMBERS("numbers begin below those that sinks have seen", 80, MarkersIgnored::new),
  HALF_RESTORED_KEPT(
      "what was read of a damaged checkpoint stays when an older one is restored",
      600,
      StatePlantings.HalfRestoredKept::new);

  private final String description;
  private final int seeds;
  private final Supplier<Planting> planting;

  PlantedBug(String description, int seeds, Supplier<Planting> planting) {
    this.description = description;
    this.seeds = seeds;
    this.planting = planting;
  }

  /** As {@code make simulate BUG=…} takes it. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What is wrong, in a line. */
  public String description() {
    return description;
  }

  /** It is found within so many seeds from 0 on. */
  public int seeds() {
    return seeds;
  }

  /** For one process. */
  Planting plant() {
    return planting.get();
  }

  /** The one of this id. */
  public static Optional<PlantedBug> of(String id) {
    return Stream.of(values()).filter(bug -> bug.id().equals(id)).findFirst();
  }
}
