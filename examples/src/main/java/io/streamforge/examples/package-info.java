/** Small complete programs over real data. */
@NullMarked
package io.streamforge.examples;

import org.jspecify.annotations.NullMarked;
