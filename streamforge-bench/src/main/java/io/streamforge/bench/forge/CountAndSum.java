package io.streamforge.bench.forge;

/** Result of a window. */
record CountAndSum(long count, long sum) {}
