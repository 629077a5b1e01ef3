/**
 * What can go wrong, as data: {@link io.streamforge.error.StreamForgeException} carries an {@link
 * io.streamforge.error.ErrorCode} and an {@link io.streamforge.error.ErrorContext}. Part of the
 * API; imports nothing of the project.
 */
@NullMarked
package io.streamforge.error;

import org.jspecify.annotations.NullMarked;
