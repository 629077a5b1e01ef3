package io.streamforge.serde;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The serde of a type, or of one component of a record or field of a class, where {@link
 * Serdes#infer} would find another one or none.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.TYPE})
public @interface SerializedBy {
  /** Class of the serde; has a constructor without parameters, which may be private. */
  Class<? extends Serde<?>> value();
}
