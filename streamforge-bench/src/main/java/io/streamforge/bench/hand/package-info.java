/**
 * Each workload as the loop that somebody would write who needs nothing else: primitive keys, no
 * records, no exchange. On several threads each reads all of the input and keeps the users that are
 * its own. Start with {@link io.streamforge.bench.hand.HandJob}.
 */
@NullMarked
package io.streamforge.bench.hand;

import org.jspecify.annotations.NullMarked;
