/**
 * Classes that each node of a job has for itself, so that the JIT compiles them for that node
 * alone; start with {@link io.streamforge.specialise.NodeClasses}. Imports nothing.
 */
@NullMarked
package io.streamforge.specialise;

import org.jspecify.annotations.NullMarked;
