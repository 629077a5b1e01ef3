package io.streamforge.serde;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads structures whose stored fields are not those of the class, and tells which is which. */
final class FieldSteps {
  /** Reads a field, which may be null. */
  interface FieldReader {
    @Nullable Object read(ByteReader input);
  }

  /** How a field is read, and what it is when a null was stored. */
  record FieldStep(
      FieldReader reader,
      boolean asStored,
      @Nullable Supplier<? extends @Nullable Object> ofNull) {}

  private FieldSteps() {}

  /** A reader of the stored structure, given how its fields are read. */
  static ValueReader<Object> reader(
      Schema.Structure from,
      StructureSerde<?> serde,
      int[] targets,
      boolean[] found,
      FieldStep[] steps) {
    StructureLayout layout = StructureLayout.of(from);
    return input -> {
      byte[] flags = layout.readFlags(input);
      @Nullable Object[] values = new Object[found.length];
      for (int i = 0; i < found.length; i++) {
        if (!found[i]) {
          values[i] = serde.absence(i).value().get();
        }
      }
      for (int i = 0; i < steps.length; i++) {
        Object value;
        if (layout.isNull(flags, i)) {
          Supplier<? extends @Nullable Object> ofNull = steps[i].ofNull();
          value = ofNull == null ? null : ofNull.get();
        } else {
          value = steps[i].reader().read(input);
        }
        if (targets[i] >= 0) {
          values[targets[i]] = value;
        }
      }
      return serde.make(values);
    };
  }

  /** The member that each stored field is now; -1: none. Names of today go before earlier ones. */
  static int[] targets(List<Schema.Field> fields, List<Member> members) {
    Map<String, Integer> byName = new HashMap<>();
    for (int i = members.size() - 1; i >= 0; i--) {
      for (String earlier : members.get(i).earlierNames()) {
        byName.put(earlier, i);
      }
    }
    Map<String, Integer> today = new HashMap<>();
    for (int i = 0; i < members.size(); i++) {
      today.put(members.get(i).name(), i);
    }
    byName.putAll(today);
    int[] targets = new int[fields.size()];
    boolean[] taken = new boolean[members.size()];
    for (int pass = 0; pass < 2; pass++) {
      for (int i = 0; i < targets.length; i++) {
        String name = fields.get(i).name();
        boolean isToday = today.containsKey(name);
        if (isToday == (pass == 0)) {
          int target = byName.getOrDefault(name, -1);
          targets[i] = target >= 0 && !taken[target] ? target : -1;
          if (targets[i] >= 0) {
            taken[target] = true;
          }
        }
      }
    }
    return targets;
  }
}
