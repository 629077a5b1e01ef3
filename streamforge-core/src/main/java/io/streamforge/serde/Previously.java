package io.streamforge.serde;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names that something had when values were stored: a component of a record, a field of a class, a
 * constant of an enum, or a record, enum, class or sealed type (by its simple name).
 *
 * <p>A constant may take over several, also those of constants that are gone.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.TYPE})
public @interface Previously {
  /** The earlier names. */
  String[] value();
}
