/**
 * Standard output; see {@link io.streamforge.connector.stdout.StdoutSink}. Imports only the API.
 */
@NullMarked
package io.streamforge.connector.stdout;

import org.jspecify.annotations.NullMarked;
