package io.streamforge.serde;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The value that a component of a record or a field of a class has in values that were stored
 * before it existed, and where a stored value was null or empty and now may not be.
 *
 * <p>Given as text: numbers, {@code true}, characters, strings, constants of enums, UUIDs, and
 * times of {@code java.time} as their {@code parse} reads them. Collections, maps, arrays and
 * optionals may be empty: {@code @Default("")}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface Default {
  /** The value as text. */
  String value();
}
