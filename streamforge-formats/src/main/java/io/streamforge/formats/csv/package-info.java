/**
 * Files with comma-separated values as sources and sinks of records; start with {@link
 * io.streamforge.formats.csv.Csv}.
 */
@NullMarked
package io.streamforge.formats.csv;

import org.jspecify.annotations.NullMarked;
