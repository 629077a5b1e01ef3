/**
 * Records handed to a function of the application; see {@link
 * io.streamforge.connector.callback.CallbackSink}. Imports only the API.
 */
@NullMarked
package io.streamforge.connector.callback;

import org.jspecify.annotations.NullMarked;
