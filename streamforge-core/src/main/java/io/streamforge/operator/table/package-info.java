/**
 * Tables, which are {@link io.streamforge.record.Change changes} between nodes. Start with {@link
 * io.streamforge.operator.table.TableOperators}, which chooses the operator; joins with tables are
 * in {@code operator.join}. May import what {@code operator} may.
 */
@NullMarked
package io.streamforge.operator.table;

import org.jspecify.annotations.NullMarked;
