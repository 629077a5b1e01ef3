/**
 * The reading end of a source stage: splits, their event time, alignment and pace. Start with
 * {@link io.streamforge.runtime.source.SourceInput}.
 */
@NullMarked
package io.streamforge.runtime.source;

import org.jspecify.annotations.NullMarked;
