package io.streamforge.connector.file;

/**
 * What a source itself does with a record that cannot be decoded. Where nothing is said, the record
 * follows the error policy of the source's node.
 */
public enum MalformedPolicy {
  /** The job fails, whatever the policy of the node; the error names file and line. */
  FAIL,
  /** The record is passed over and counted. */
  SKIP,
  /**
   * Bytes that are not UTF-8 are read as U+FFFD; a record with which something else is wrong
   * follows the error policy of the source's node.
   */
  REPLACE
}
