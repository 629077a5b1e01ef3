/**
 * Where to find the connectors that need nothing but the library: {@link
 * io.streamforge.connector.Sources} and {@link io.streamforge.connector.Sinks}. Each connected
 * system has a package of its own, which imports only the API.
 */
@NullMarked
package io.streamforge.connector;

import org.jspecify.annotations.NullMarked;
