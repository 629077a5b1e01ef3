/**
 * Records made by a function of their index; see {@link
 * io.streamforge.connector.generator.GeneratorSource}. Imports only the API.
 */
@NullMarked
package io.streamforge.connector.generator;

import org.jspecify.annotations.NullMarked;
