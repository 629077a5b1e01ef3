package io.streamforge.bench;

/**
 * Whether a target was reached.
 *
 * @param what is compared with what
 * @param target as text, such as {@code ≥ 2.5 ×}
 * @param reached as text
 */
record Verdict(String workload, String what, String target, String reached, boolean met) {}
