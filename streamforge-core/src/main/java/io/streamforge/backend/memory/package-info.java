/** Keyed state in memory: open-addressing tables in the order of key hashes. */
@NullMarked
package io.streamforge.backend.memory;

import org.jspecify.annotations.NullMarked;
