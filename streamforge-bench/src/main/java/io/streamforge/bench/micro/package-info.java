/**
 * JMH benchmarks of parts of the engine, to be run with {@code make bench-micro}: a chain of fused
 * operators, an exchange between tasks, a table of keyed state. The first two are jobs over a fixed
 * number of records, since the parts have no life outside of one.
 */
@NullMarked
package io.streamforge.bench.micro;

import org.jspecify.annotations.NullMarked;
