package io.streamforge.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The books of a node in one task: in = processed + late + dropped + dead-lettered, always, between
 * two records; out is counted apart. Written by the owning task only, with plain writes; other
 * threads read them a little late.
 */
public final class NodeCounters {
  /** A reason for which records are dropped, and how many were. */
  public static final class Dropped {
    /** The reason, in a few words. */
    public final String reason;

    /** How many records. */
    public long count;

    private Dropped(String reason) {
      this.reason = reason;
    }
  }

  /** Records that have entered the node. */
  public long in;

  /** Records that the node has processed. */
  public long processed;

  /** Records that no window accepted any more. */
  public long late;

  /** Records that the node has rejected and that have gone to its dead letters. */
  public long deadLettered;

  /** Timers that the node has rejected; they are no records and no part of the equation. */
  public long timersRejected;

  /** Records that the node has emitted and that no follower counts; see {@link #out()}. */
  public long out;

  private volatile List<NodeCounters> followers = List.of();

  private volatile List<Dropped> dropped = List.of();

  /** The counter of a reason, for the operator to keep and add to. Called by the owner only. */
  public Dropped dropped(String reason) {
    for (Dropped d : dropped) {
      if (d.reason.equals(reason)) {
        return d;
      }
    }
    List<Dropped> more = new ArrayList<>(dropped);
    Dropped added = new Dropped(reason);
    more.add(added);
    dropped = List.copyOf(more);
    return added;
  }

  /** How many records were dropped, by reason; reasons that never occurred are left out. */
  public Map<String, Long> droppedByReason() {
    Map<String, Long> result = new TreeMap<>();
    for (Dropped d : dropped) {
      if (d.count > 0) {
        result.merge(d.reason, d.count, Long::sum);
      }
    }
    return result;
  }

  /** How many records were dropped, for whatever reason. */
  public long droppedTotal() {
    long total = 0;
    for (Dropped d : dropped) {
      total += d.count;
    }
    return total;
  }

  /**
   * All that a node takes in comes from this one, so that need not be counted twice. Before the
   * first record.
   */
  public void followedBy(NodeCounters follower) {
    List<NodeCounters> more = new ArrayList<>(followers);
    more.add(follower);
    followers = List.copyOf(more);
  }

  /** Records that the node has emitted, to all its outputs but that of dead letters. */
  public long out() {
    long all = out;
    for (NodeCounters follower : followers) {
      all += follower.in;
    }
    return all;
  }

  /** Whether every record that has entered is accounted for. */
  public boolean balanced() {
    return in == processed + late + deadLettered + droppedTotal();
  }
}
