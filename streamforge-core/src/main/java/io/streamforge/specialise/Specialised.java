package io.streamforge.specialise;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a class that is on the way of every record: each node of a job gets a copy of it and of its
 * nested classes (see {@link NodeClasses}).
 *
 * <p>A copy is another class in another run-time package. So what it uses outside of the
 * specialised classes must be public, and nobody outside of them may use it but through a type that
 * is not specialised.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Specialised {}
