/**
 * The physical plan: stages, exchanges and parallelism, derived from a logical graph. A plan is
 * data; start with {@link io.streamforge.plan.Planner}. Imports graph and the API, never operators.
 */
@NullMarked
package io.streamforge.plan;

import org.jspecify.annotations.NullMarked;
