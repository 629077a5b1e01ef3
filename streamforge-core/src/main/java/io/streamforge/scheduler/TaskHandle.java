package io.streamforge.scheduler;

/** A registered task, as seen by those who have something for it. */
public interface TaskHandle extends Waker {}
