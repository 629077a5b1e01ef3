/**
 * What can go wrong, as data: {@link io.streamforge.error.StreamForgeException} carries an {@link
 * io.streamforge.error.ErrorCode} and an {@link io.streamforge.error.ErrorContext}; and what is to
 * become of records that are rejected, {@link io.streamforge.error.ErrorPolicy}. Part of the API;
 * of the project it imports sinks and records.
 */
@NullMarked
package io.streamforge.error;

import org.jspecify.annotations.NullMarked;
