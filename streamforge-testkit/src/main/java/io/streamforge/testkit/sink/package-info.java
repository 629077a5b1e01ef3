/**
 * Systems outside that records are written into, in memory; start with {@link
 * io.streamforge.testkit.sink.MarkedSink}.
 */
@NullMarked
package io.streamforge.testkit.sink;

import org.jspecify.annotations.NullMarked;
