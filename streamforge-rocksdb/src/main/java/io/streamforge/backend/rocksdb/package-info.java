/**
 * Keyed state in RocksDB; start with {@link io.streamforge.backend.rocksdb.RocksDbBackendProvider},
 * then {@code CachedTable}. {@link io.streamforge.backend.rocksdb.RocksDbStore} is used on its own.
 * Imports the API and the service provider interface of backends.
 */
@NullMarked
package io.streamforge.backend.rocksdb;

import org.jspecify.annotations.NullMarked;
