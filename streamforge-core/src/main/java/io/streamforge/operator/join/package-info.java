/**
 * Joins: rows of two inputs that have one key. Start with {@link
 * io.streamforge.operator.join.JoinOperators}, which chooses the operator; {@link
 * io.streamforge.operator.join.JoinRows} is what is kept for a key. May import what {@code
 * operator} may.
 */
@NullMarked
package io.streamforge.operator.join;

import org.jspecify.annotations.NullMarked;
