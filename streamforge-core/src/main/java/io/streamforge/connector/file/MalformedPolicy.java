package io.streamforge.connector.file;

/** What a source does with a record that cannot be decoded. */
public enum MalformedPolicy {
  /** The job fails; the error names file and line. */
  FAIL,
  /** The record is passed over and counted. */
  SKIP,
  /** Bytes that are not UTF-8 are read as U+FFFD; whatever else is wrong fails the job. */
  REPLACE
}
