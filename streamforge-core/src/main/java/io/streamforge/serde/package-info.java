/**
 * How keys and values become bytes, and with that what makes two keys the same. Part of the API;
 * start with {@link io.streamforge.serde.Serde} and {@link io.streamforge.serde.KeyKind}.
 */
@NullMarked
package io.streamforge.serde;

import org.jspecify.annotations.NullMarked;
