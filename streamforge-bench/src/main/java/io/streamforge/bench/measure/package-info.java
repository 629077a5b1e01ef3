/**
 * What runs in the JVM that is measured: a program for each kind of measure, each printing lines of
 * a name and a number. On the class path of every engine, so it knows engines only as {@link
 * io.streamforge.bench.workload.Job}.
 */
@NullMarked
package io.streamforge.bench.measure;

import org.jspecify.annotations.NullMarked;
