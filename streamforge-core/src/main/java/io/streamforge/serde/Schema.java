package io.streamforge.serde;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What bytes that a serde has written mean: the names and forms that the bytes themselves do not
 * repeat. Stored once beside the values, and compared with what the code has now by {@link
 * Serde#reading}. Immutable and thread-safe; two schemas are equal when all their parts are.
 *
 * <p>{@code toString()} is for people: {@code Order{amount: long, note: string?}}, where {@code ?}
 * marks a field that may be null and names of classes are without packages.
 */
public sealed interface Schema {
  /** Name of the form of JSON text; its bytes are those of a string. */
  String JSON = "json";

  /**
   * A value without parts.
   *
   * @param form one of the built-in forms, such as {@code int}, {@code string} or {@code Instant}
   */
  record Basic(String form) implements Schema {
    @Override
    public String toString() {
      return form;
    }
  }

  /**
   * A constant of an enum, written as its name.
   *
   * @param name of the class
   * @param constants in the order of declaration
   */
  record Enumeration(String name, List<String> constants) implements Schema {
    /** Copies the list. */
    public Enumeration {
      constants = List.copyOf(constants);
    }

    @Override
    public String toString() {
      return SchemaText.of(this);
    }
  }

  /**
   * A record or an object of a plain class: one bit for each field that may be null, then the
   * fields that are not.
   *
   * @param name of the class
   * @param fields in the order of their bytes
   */
  record Structure(String name, List<Field> fields) implements Schema {
    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException when two fields have one name
     */
    public Structure {
      fields = List.copyOf(fields);
      unique(fields, Field::name, name + " has two fields ");
    }

    @Override
    public String toString() {
      return SchemaText.of(this);
    }
  }

  /**
   * A field of a {@link Structure}.
   *
   * @param name unique within the structure
   * @param nullable whether there is a bit for it
   * @param schema of its value
   */
  record Field(String name, boolean nullable, Schema schema) {}

  /**
   * One of the subtypes of a sealed type: the name of the alternative, then its value.
   *
   * @param name of the sealed class
   * @param alternatives the subtypes that can be instantiated
   */
  record Union(String name, List<Alternative> alternatives) implements Schema {
    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException when two alternatives have one name
     */
    public Union {
      alternatives = List.copyOf(alternatives);
      unique(alternatives, Alternative::name, name + " has two subtypes ");
    }

    @Override
    public String toString() {
      return SchemaText.of(this);
    }
  }

  /**
   * A subtype in a {@link Union}.
   *
   * @param name its simple name, unique within the union
   * @param schema of its value
   */
  record Alternative(String name, Schema schema) {}

  /**
   * A collection or an array of objects.
   *
   * @param form such as {@code list}
   * @param elements their schema
   */
  record Sequence(String form, Schema elements) implements Schema {
    @Override
    public String toString() {
      return SchemaText.of(this);
    }
  }

  /**
   * A map.
   *
   * @param form such as {@code map}
   * @param keys their schema
   * @param values their schema
   */
  record Mapping(String form, Schema keys, Schema values) implements Schema {
    @Override
    public String toString() {
      return SchemaText.of(this);
    }
  }

  /**
   * An optional.
   *
   * @param value schema of what it may hold
   */
  record OptionalValue(Schema value) implements Schema {
    @Override
    public String toString() {
      return SchemaText.of(this);
    }
  }

  /**
   * A structure or union around this place, once more: the schema of a type that contains itself.
   *
   * @param levels 1 is the innermost structure or union around, 2 the one around that
   */
  record Reference(int levels) implements Schema {
    @Override
    public String toString() {
      return "^" + levels;
    }
  }

  /**
   * What only a serde of the user's own understands. Inside other forms its bytes are preceded by
   * their number.
   *
   * @param form name of the form
   * @param version of the form, counted by whoever wrote the serde
   */
  record Opaque(String form, int version) implements Schema {
    @Override
    public String toString() {
      return form + " version " + version;
    }
  }

  /**
   * The schema of a serde of the user's own; give another version when what it writes changes, and
   * read the old one in {@link Serde#reading}.
   */
  static Schema opaque(String form, int version) {
    return new Opaque(form, version);
  }

  private static <T> void unique(List<T> items, Function<T, String> nameOf, String complaint) {
    Set<String> names = new HashSet<>();
    for (T item : items) {
      if (!names.add(nameOf.apply(item))) {
        throw new IllegalArgumentException(complaint + nameOf.apply(item));
      }
    }
  }

  /** Appends the schema in a form of its own, which later versions still read. */
  default void write(ByteWriter output) {
    SchemaCodec.write(this, output);
  }

  /**
   * Reads what {@link #write} has written.
   *
   * @throws io.streamforge.error.StreamForgeException with {@link
   *     io.streamforge.error.ErrorCode#SERDE_FAILED} when the bytes are damaged or of a version
   *     that is not known yet
   */
  static Schema read(ByteReader input) {
    return SchemaCodec.read(input);
  }

  /** What {@link #write} appends. */
  default byte[] toBytes() {
    ByteWriter output = new ByteWriter();
    write(output);
    return output.toByteArray();
  }

  /**
   * A number that differs, for all practical purposes, between schemas that are not equal: XXH64
   * with seed 0 of {@link #toBytes}. The same in every JVM.
   */
  default long fingerprint() {
    return SchemaCodec.hash(toBytes());
  }

  /**
   * Reads values without the classes that they were of: structures as {@link StoredStructure},
   * constants of enums as {@link String}, collections and arrays of objects as {@link List}, maps
   * as {@link Map} (one of those entries whose keys are equal then), optionals as {@link
   * java.util.Optional}, JSON as its text, what is opaque as {@code byte[]}, and all else as what
   * the serde of that form returns. An opaque schema reads all that is left.
   *
   * @throws io.streamforge.error.StreamForgeException with {@link
   *     io.streamforge.error.ErrorCode#SERDE_FAILED} when the schema has a form that this version
   *     does not know
   */
  default ValueReader<Object> reader() {
    return StoredReaders.of(this);
  }

  /**
   * A structure that was read without its class.
   *
   * @param type name of the class
   * @param fields by name, in the order of their bytes
   */
  record StoredStructure(String type, Map<String, @Nullable Object> fields) {}
}
