/**
 * What runs on a worker: a stage's operators and the loop that drives them. Start with {@link
 * io.streamforge.runtime.task.StageTask}.
 */
@NullMarked
package io.streamforge.runtime.task;

import org.jspecify.annotations.NullMarked;
