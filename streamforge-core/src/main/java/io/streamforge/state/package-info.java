/** Keyed state as processors see it. Part of the API. */
@NullMarked
package io.streamforge.state;

import org.jspecify.annotations.NullMarked;
