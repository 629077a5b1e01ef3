package io.streamforge.runtime.checkpoint;

import io.streamforge.runtime.task.Activity;
import io.streamforge.runtime.task.PartProgress;
import io.streamforge.runtime.task.PartProgress.Doing;
import io.streamforge.runtime.task.PartProgress.Span;
import io.streamforge.runtime.task.Rendering;
import io.streamforge.runtime.task.Sender;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a checkpoint takes long: which of all that it has waited for, one after the other, has taken
 * longest; and what those parts do that it still waits for.
 */
// From the end back to the beginning: what has the part done that reported last; which barrier has
// it waited for; what has the task done that sent it; and so on up to a source. What others did
// meanwhile has delayed nothing.
final class CheckpointCause {
  /** Parts that a message names at most. */
  private static final int NAMED_PARTS = 5;

  private static final String BEHIND = ", behind the records before it";

  private final String location;
  private final long begunNanos;
  private final long overtakenNanos;
  private final Map<String, PartProgress> parts;
  private final Map<Share, Total> shares = new LinkedHashMap<>();

  /** What is added up, whenever it happened. */
  private record Share(
      String subject, Activity activity, @Nullable String node, @Nullable Sender from) {}

  private static final class Total {
    long nanos;
    long bytes;
  }

  /**
   * Of one checkpoint. Times are those of the job's monotonic clock.
   *
   * @param location where it is stored
   * @param begunNanos when it began
   * @param overtakenNanos when tasks were told not to wait for barriers any more; {@link
   *     Long#MIN_VALUE}: they were not
   * @param parts how far each has come, by its id
   */
  CheckpointCause(
      String location, long begunNanos, long overtakenNanos, Map<String, PartProgress> parts) {
    this.location = location;
    this.begunNanos = begunNanos;
    this.overtakenNanos = overtakenNanos;
    this.parts = parts;
  }

  /**
   * What has taken longest, as {@code 11.8 s of them task 1[0] of 'count' had no room …}. All parts
   * have reported.
   */
  String longest(long publishedNanos) {
    PartProgress last = null;
    for (PartProgress part : parts.values()) {
      if (last == null || endOf(part) > endOf(last)) {
        last = part;
      }
    }
    if (last == null) {
      return "";
    }
    String longest = "its entry in the log in " + location + " was written";
    long most = publishedNanos - endOf(last);
    PartProgress first = walk(last);
    if (first.overtaken() && overtakenNanos - begunNanos > most) {
      most = overtakenNanos - begunNanos;
      longest = "barriers were waited for before they were overtaken";
    }
    for (Map.Entry<Share, Total> share : shares.entrySet()) {
      if (share.getValue().nanos > most) {
        most = share.getValue().nanos;
        longest = past(share.getKey(), share.getValue());
      }
    }
    return Rendering.duration(most) + " of them " + longest;
  }

  private long endOf(PartProgress part) {
    List<Span> spans = part.spans();
    return spans.isEmpty() ? begunNanos : spans.get(spans.size() - 1).endNanos();
  }

  /** Adds up from the end to the beginning; where that is. */
  private PartProgress walk(PartProgress last) {
    PartProgress part = last;
    int at = last.spans().size() - 1;
    while (at >= 0) {
      Span span = part.spans().get(at);
      long before = at == 0 ? begunOf(part) : part.spans().get(at - 1).endNanos();
      PartProgress sender = span.from() == null ? null : parts.get(span.from().task());
      if (sender != null && sender.hasSent() && (at == 0 || sender.sentNanos() > before)) {
        add(part, span, span.endNanos() - sender.sentNanos());
        part = sender;
        at = lastUntil(sender, sender.sentNanos());
      } else {
        add(part, span, span.endNanos() - before);
        at--;
      }
    }
    return part;
  }

  private long begunOf(PartProgress part) {
    return part.overtaken() ? overtakenNanos : begunNanos;
  }

  /** The last span that ends by then; −1: none does. */
  private static int lastUntil(PartProgress part, long nanos) {
    int at = part.spans().size() - 1;
    while (at >= 0 && part.spans().get(at).endNanos() > nanos) {
      at--;
    }
    return at;
  }

  private void add(PartProgress part, Span span, long nanos) {
    Total total =
        shares.computeIfAbsent(
            new Share(part.subject(), span.activity(), span.node(), span.from()),
            share -> new Total());
    total.nanos += nanos;
    total.bytes += span.bytes();
  }

  private String past(Share share, Total total) {
    String size = Rendering.size(total.bytes);
    return share.subject
        + switch (share.activity) {
          case ELSEWHERE -> " did not come to it";
          case BARRIER -> " waited for the barrier from " + share.from + BEHIND;
          case WRITE -> " wrote what came before it";
          case ROOM -> " had no room for its output";
          case WORK -> " had work in hand" + of(share.node);
          case PREPARE -> " prepared the output" + of(share.node);
          case FREEZE -> " froze the state" + of(share.node);
          case SERIALISE -> " serialised the state" + of(share.node) + " (" + size + ")";
          case STORE ->
              " stored "
                  + size
                  + " in "
                  + location
                  + ", at "
                  + Rendering.rate(total.bytes, total.nanos);
        };
  }

  private static String of(@Nullable String node) {
    return node == null ? "" : " of '" + node + "'";
  }

  /**
   * What each of these parts does, those first that do not wait for another of them, as {@code task
   * 1[0] of 'count' has no room for its output; …}.
   */
  String missing(Collection<String> missing) {
    List<String> first = new ArrayList<>();
    List<String> then = new ArrayList<>();
    for (String id : missing) {
      PartProgress part = parts.get(id);
      Doing doing = part == null ? null : part.doing();
      if (part == null || doing == null) {
        continue;
      }
      boolean waits = doing.awaited().stream().anyMatch(sender -> hasNotSent(sender.task()));
      (waits ? then : first).add(part.subject() + present(doing));
    }
    first.addAll(then);
    return String.join("; ", first.subList(0, Math.min(NAMED_PARTS, first.size())))
        + (first.size() > NAMED_PARTS ? "; and " + (first.size() - NAMED_PARTS) + " more" : "");
  }

  private boolean hasNotSent(String task) {
    PartProgress part = parts.get(task);
    return part != null && !part.hasSent();
  }

  private String present(Doing doing) {
    String size = Rendering.size(doing.bytes());
    return switch (doing.activity()) {
      case ELSEWHERE -> " has not come to it";
      case BARRIER -> " waits for the barrier" + from(doing.awaited());
      case WRITE -> " has not written all that comes before it";
      case ROOM -> " has no room for its output";
      case WORK -> " has work in hand" + of(doing.node());
      case PREPARE -> " prepares the output" + of(doing.node());
      case FREEZE -> " freezes the state" + of(doing.node());
      case SERIALISE -> " serialises the state" + of(doing.node()) + " (" + size + " up to now)";
      case STORE -> " stores " + size + " in " + location;
    };
  }

  private String from(List<Sender> awaited) {
    if (awaited.isEmpty()) {
      return "";
    }
    Sender first = awaited.get(0);
    for (Sender sender : awaited) {
      if (hasNotSent(sender.task())) {
        first = sender;
        break;
      }
    }
    return " from "
        + first
        + (awaited.size() > 1 ? " and " + (awaited.size() - 1) + " more" : "")
        + (hasNotSent(first.task()) ? "" : BEHIND);
  }
}
