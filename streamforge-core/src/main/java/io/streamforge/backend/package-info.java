/**
 * The service provider interface of keyed state; start with {@link
 * io.streamforge.backend.KeyedStateBackend}. And stores that are used on their own: {@link
 * io.streamforge.backend.KeyValueStore} is what they do, {@link
 * io.streamforge.backend.SerializedStore} what they have in common. Imports only the API.
 */
@NullMarked
package io.streamforge.backend;

import org.jspecify.annotations.NullMarked;
