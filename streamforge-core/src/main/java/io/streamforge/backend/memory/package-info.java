/**
 * Keyed state in memory: open-addressing tables in the order of key hashes. And {@link
 * io.streamforge.backend.memory.MemoryStore}, which has nothing to do with them.
 */
@NullMarked
package io.streamforge.backend.memory;

import org.jspecify.annotations.NullMarked;
