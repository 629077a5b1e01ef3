/**
 * JSON: files with a value on each line as sources and sinks ({@link
 * io.streamforge.formats.json.JsonLines}), and a serde ({@link
 * io.streamforge.formats.json.JsonSerde}).
 */
@NullMarked
package io.streamforge.formats.json;

import org.jspecify.annotations.NullMarked;
