/**
 * The record and its parts: key, value, timestamp and headers. Part of the API; imports only {@code
 * error}.
 */
@NullMarked
package io.streamforge.record;

import org.jspecify.annotations.NullMarked;
