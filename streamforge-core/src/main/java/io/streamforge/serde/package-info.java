/**
 * How keys and values become bytes, and with that what makes two keys the same. Part of the API;
 * start with {@link io.streamforge.serde.Serde}, then {@link io.streamforge.serde.Schema} and
 * {@link io.streamforge.serde.Reading} for what was stored by an earlier release, and {@link
 * io.streamforge.serde.KeyKind} for keys. {@code Inference} finds the serde of a type, {@code
 * Evolution} how a stored schema is read.
 */
@NullMarked
package io.streamforge.serde;

import org.jspecify.annotations.NullMarked;
