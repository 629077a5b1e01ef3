/**
 * Each workload as the loop that somebody would write who needs nothing else: primitive keys and
 * values, no record objects. Each thread reads a share of the input, as of a source that is read
 * once, and sends the records of others' users to them in batches of parallel arrays. Start with
 * {@link io.streamforge.bench.hand.HandJob}.
 */
@NullMarked
package io.streamforge.bench.hand;

import org.jspecify.annotations.NullMarked;
