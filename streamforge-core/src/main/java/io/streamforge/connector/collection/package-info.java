/**
 * Records in memory: {@link io.streamforge.connector.collection.CollectionSource} reads a list,
 * {@link io.streamforge.connector.collection.CollectingSink} fills one. Imports only the API.
 */
@NullMarked
package io.streamforge.connector.collection;

import org.jspecify.annotations.NullMarked;
