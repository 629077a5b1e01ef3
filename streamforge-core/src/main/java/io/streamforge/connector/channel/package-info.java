/**
 * Records that the application itself sends while the job runs; see {@link
 * io.streamforge.connector.channel.InMemoryChannel}. Imports only the API.
 */
@NullMarked
package io.streamforge.connector.channel;

import org.jspecify.annotations.NullMarked;
