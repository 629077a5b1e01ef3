/**
 * End-to-end workloads, each as a topology and as a loop written by hand. {@link
 * io.streamforge.bench.Bench} runs them; start with {@link io.streamforge.bench.Workload}.
 */
@NullMarked
package io.streamforge.bench;

import org.jspecify.annotations.NullMarked;
