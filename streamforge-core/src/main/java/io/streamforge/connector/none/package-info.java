/** A sink for records that nobody wants. Imports only the API. */
@NullMarked
package io.streamforge.connector.none;

import org.jspecify.annotations.NullMarked;
