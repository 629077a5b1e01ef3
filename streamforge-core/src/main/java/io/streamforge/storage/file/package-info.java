/**
 * Checkpoints in a directory of a file system; start with {@link
 * io.streamforge.storage.file.DirectoryStorage}. Imports the storage's interface and the API.
 */
@NullMarked
package io.streamforge.storage.file;

import org.jspecify.annotations.NullMarked;
