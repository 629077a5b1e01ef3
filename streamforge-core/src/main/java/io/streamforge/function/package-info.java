/**
 * The functions that users write: mappers, predicates, aggregators, processors. Part of the API.
 * All of them may throw checked exceptions, and all extend {@link java.io.Serializable} only so
 * that their types can be read ({@link io.streamforge.function.FunctionTypes}); none is ever
 * serialised.
 */
@NullMarked
package io.streamforge.function;

import org.jspecify.annotations.NullMarked;
