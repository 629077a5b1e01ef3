@NullMarked
package io.streamforge.backend.rocksdb;

import org.jspecify.annotations.NullMarked;
