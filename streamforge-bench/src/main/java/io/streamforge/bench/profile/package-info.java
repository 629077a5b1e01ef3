/**
 * Where StreamForge spends its time: a workload under Flight Recorder. Start with {@link
 * io.streamforge.bench.profile.Profile}.
 */
@NullMarked
package io.streamforge.bench.profile;

import org.jspecify.annotations.NullMarked;
