package io.streamforge.storage.s3;

/** What is asked of a bucket, as errors name it. */
enum S3Operation {
  LIST("listed", "s3:ListBucket"),
  READ("read", "s3:GetObject"),
  CREATE("created", "s3:PutObject"),
  WRITE("written", "s3:PutObject"),
  ABANDON("abandoned", "s3:AbortMultipartUpload"),
  DELETE("deleted", "s3:DeleteObject");

  /** What cannot be done to an object when it fails. */
  final String done;

  /** What the credentials need. */
  final String permission;

  S3Operation(String done, String permission) {
    this.done = done;
    this.permission = permission;
  }
}
