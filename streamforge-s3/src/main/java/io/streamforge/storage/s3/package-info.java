/**
 * Checkpoints in a bucket of S3, or of a server that speaks its protocol; start with {@link
 * io.streamforge.storage.s3.S3Storage}. Imports the storage's interface, the API and the AWS SDK.
 */
@NullMarked
package io.streamforge.storage.s3;

import org.jspecify.annotations.NullMarked;
