/**
 * The service provider interface of keyed state; start with {@link
 * io.streamforge.backend.KeyedStateBackend}. Imports only the API.
 */
@NullMarked
package io.streamforge.backend;

import org.jspecify.annotations.NullMarked;
