/**
 * The logical graph: what the builder, a file or another language describes, as immutable data.
 * Start with {@link io.streamforge.graph.LogicalGraph}; imports only the API.
 */
@NullMarked
package io.streamforge.graph;

import org.jspecify.annotations.NullMarked;
