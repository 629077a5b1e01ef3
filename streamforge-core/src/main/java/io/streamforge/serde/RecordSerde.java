package io.streamforge.serde;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A record: one bit for each component that may be null, in whole bytes, then the components in
 * their order. Components are read by their accessors and given to the canonical constructor.
 */
final class RecordSerde<R> implements Serde<R> {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

  private final Class<R> type;
  private final MethodHandle constructor;
  private final MethodHandle[] accessors;
  private final Serde<Object>[] serdes;
  private final boolean[] primitive;
  private final int flagBytes;
  private final boolean deterministic;
  private final String name;

  /**
   * A serde of a record class.
   *
   * @param serdes of the components in their order
   * @throws java.lang.reflect.InaccessibleObjectException when a module does not let us
   */
  @SuppressWarnings({"unchecked", "rawtypes"})
  RecordSerde(Class<R> type, List<Serde<?>> serdes) {
    RecordComponent[] components = type.getRecordComponents();
    this.type = type;
    this.constructor = constructor(type, components);
    this.accessors = new MethodHandle[components.length];
    this.serdes = serdes.toArray(new Serde[0]);
    this.primitive = new boolean[components.length];
    StringJoiner described = new StringJoiner(", ", type.getName() + "(", ")");
    int nullable = 0;
    boolean allDeterministic = true;
    for (int i = 0; i < components.length; i++) {
      accessors[i] = accessor(components[i]);
      primitive[i] = components[i].getType().isPrimitive();
      nullable += primitive[i] ? 0 : 1;
      allDeterministic &= serdes.get(i).deterministic();
      described.add(components[i].getName() + ": " + serdes.get(i).name());
    }
    this.flagBytes = (nullable + 7) / 8;
    this.deterministic = allDeterministic;
    this.name = described.toString();
  }

  private static MethodHandle constructor(Class<?> type, RecordComponent[] components) {
    Class<?>[] parameters = new Class<?>[components.length];
    for (int i = 0; i < components.length; i++) {
      parameters[i] = components[i].getType();
    }
    try {
      Constructor<?> canonical = type.getDeclaredConstructor(parameters);
      canonical.setAccessible(true);
      return LOOKUP
          .unreflectConstructor(canonical)
          .asSpreader(Object[].class, components.length)
          .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MethodHandle accessor(RecordComponent component) {
    try {
      Method accessor = component.getAccessor();
      accessor.setAccessible(true);
      return LOOKUP.unreflect(accessor).asType(MethodType.methodType(Object.class, Object.class));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void write(R value, ByteWriter output) {
    @Nullable Object[] components = new Object[accessors.length];
    for (int i = 0; i < components.length; i++) {
      components[i] = component(value, i);
    }
    writeFlags(components, output);
    for (int i = 0; i < components.length; i++) {
      Object component = components[i];
      if (component != null) {
        serdes[i].write(component, output);
      }
    }
  }

  private @Nullable Object component(Object value, int at) {
    try {
      return accessors[at].invokeExact(value);
    } catch (Throwable e) {
      throw failed("an accessor of record " + type.getName() + " failed", e);
    }
  }

  private void writeFlags(@Nullable Object[] components, ByteWriter output) {
    int flags = 0;
    int bits = 0;
    for (int i = 0; i < components.length; i++) {
      if (!primitive[i]) {
        if (components[i] == null) {
          flags |= 1 << (bits & 7);
        }
        if ((++bits & 7) == 0) {
          output.writeByte(flags);
          flags = 0;
        }
      }
    }
    if ((bits & 7) != 0) {
      output.writeByte(flags);
    }
  }

  @Override
  @SuppressWarnings("unchecked")
  public R read(ByteReader input) {
    byte[] flags = input.readBytes(flagBytes);
    @Nullable Object[] components = new Object[accessors.length];
    int bit = 0;
    for (int i = 0; i < components.length; i++) {
      boolean isNull = false;
      if (!primitive[i]) {
        isNull = ((flags[bit >> 3] >> (bit & 7)) & 1) != 0;
        bit++;
      }
      components[i] = isNull ? null : serdes[i].read(input);
    }
    try {
      return (R) constructor.invokeExact(components);
    } catch (Throwable e) {
      throw failed("the constructor of record " + type.getName() + " refuses what was stored", e);
    }
  }

  private static StreamForgeException failed(String what, Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return new StreamForgeException(ErrorCode.SERDE_FAILED, ErrorContext.NONE, what, e);
  }

  @Override
  public boolean deterministic() {
    return deterministic;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String toString() {
    return name;
  }
}
