/**
 * The contract of sources: splits, their assignment and their readers. Part of the API; start with
 * {@link io.streamforge.source.Source}.
 */
@NullMarked
package io.streamforge.source;

import org.jspecify.annotations.NullMarked;
