/**
 * Files as sources and sinks: {@link io.streamforge.connector.file.FileSource} and {@link
 * io.streamforge.connector.file.FileSink}, read these first. What the bytes mean is said by a
 * {@link io.streamforge.connector.file.FileFormat} and a {@link
 * io.streamforge.connector.file.FileEncoding}; other modules add their own. Imports only the API.
 */
@NullMarked
package io.streamforge.connector.file;

import org.jspecify.annotations.NullMarked;
