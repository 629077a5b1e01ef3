/** Settings of the engine and their validation as a whole. Imports only the API. */
@NullMarked
package io.streamforge.config;

import org.jspecify.annotations.NullMarked;
