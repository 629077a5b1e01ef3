/** Windows, what triggers them and what their results look like. Part of the API. */
@NullMarked
package io.streamforge.window;

import org.jspecify.annotations.NullMarked;
