/**
 * The workloads as Flink jobs in their idiomatic fast form: DataStream API, object reuse, declared
 * types, heap state and no checkpoints unless the workload says so, in an embedded cluster. Start
 * with {@link io.streamforge.bench.flink.FlinkJob}. Nothing outside this package may use it: Flink
 * is on the class path only of JVMs that measure it.
 *
 * <p>Not null-marked: the contracts implemented here are not.
 */
@NullUnmarked
package io.streamforge.bench.flink;

import org.jspecify.annotations.NullUnmarked;
