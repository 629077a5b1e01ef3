/**
 * Counters of nodes and tasks, their snapshots and their OpenTelemetry instruments. Imports only
 * the API.
 */
@NullMarked
package io.streamforge.metrics;

import org.jspecify.annotations.NullMarked;
