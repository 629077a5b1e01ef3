package io.streamforge.storage.s3;

import io.streamforge.storage.ObjectWriter;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/** An object of one part is made by one request; of a larger one each part is sent when full. */
final class S3ObjectWriter implements ObjectWriter {
  /** What S3 allows. */
  private static final int MAX_PARTS = 10_000;

  private static final int FIRST_BYTES = 16 << 10;

  private final S3Bucket bucket;
  private final String name;
  private final String writer;
  private final int partBytes;
  private final List<CompletedPart> parts = new ArrayList<>();

  /** The part that is being filled; grows up to its full size. */
  private byte[] part;

  private int filled;
  private @Nullable String upload;

  /**
   * A writer.
   *
   * @param writer a token that no other writer has
   */
  S3ObjectWriter(S3Bucket bucket, String name, String writer, int partBytes) {
    this.bucket = bucket;
    this.name = name;
    this.writer = writer;
    this.partBytes = partBytes;
    this.part = new byte[Math.min(FIRST_BYTES, partBytes)];
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int from = offset;
    int left = length;
    while (left > 0) {
      if (filled == partBytes) {
        sendPart();
      }
      int count = Math.min(left, partBytes - filled);
      if (filled + count > part.length) {
        part = Arrays.copyOf(part, Math.min(partBytes, Math.max(filled + count, part.length * 2)));
      }
      System.arraycopy(bytes, from, part, filled, count);
      filled += count;
      from += count;
      left -= count;
    }
  }

  private void sendPart() throws IOException {
    if (parts.size() == MAX_PARTS) {
      throw bucket
          .errors()
          .failure(
              S3Operation.WRITE,
              name,
              "it would have more than " + MAX_PARTS + " parts of " + partBytes + " bytes",
              "run the job with more parallel tasks, so that each writes less");
    }
    String current = upload;
    if (current == null) {
      current = bucket.beginParts(name, writer);
      upload = current;
    }
    parts.add(bucket.putPart(name, current, parts.size() + 1, part, filled));
    filled = 0;
  }

  @Override
  public void complete() throws IOException {
    String current = upload;
    boolean created;
    if (current == null) {
      created = bucket.put(S3Operation.WRITE, name, part, filled, writer);
    } else {
      sendPart();
      created = bucket.completeParts(name, current, parts, writer);
    }
    if (!created && !bucket.isOf(name, writer)) {
      throw new FileAlreadyExistsException(name);
    }
    upload = null;
  }

  /**
   * What has arrived of an object that is not complete is invisible but stored, and given back
   * here. One that is not known to be complete stays: only clean-up can tell whose it is.
   */
  @Override
  public void close() throws IOException {
    String current = upload;
    if (current != null) {
      bucket.abandonParts(name, current);
      upload = null;
    }
  }
}
