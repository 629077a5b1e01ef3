/** A server of S3 in this process, for tests of what keeps objects there. */
@NullMarked
package io.streamforge.testkit.s3;

import org.jspecify.annotations.NullMarked;
