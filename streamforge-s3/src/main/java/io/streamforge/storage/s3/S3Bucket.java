package io.streamforge.storage.s3;

import io.streamforge.storage.ObjectNames;
import io.streamforge.storage.StoredObject;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** The requests of S3 that {@link S3Storage} is made of, one by one. Thread-safe. */
final class S3Bucket implements AutoCloseable {
  /** What S3 takes in one request. */
  private static final int MAX_DELETED = 1_000;

  /** So many objects that could not be deleted are named. */
  private static final int MAX_PROBLEMS = 5;

  private static final String NOBODY = "*";
  private static final String CONTENT_TYPE = "application/octet-stream";

  /** Metadata by which a writer knows its own object again. */
  private static final String WRITER = "streamforge-writer";

  private final S3Location location;
  private final S3Client client;
  private final S3Errors errors;

  S3Bucket(S3Location location, S3Client client, S3Errors errors) {
    this.location = location;
    this.client = client;
    this.errors = errors;
  }

  S3Location location() {
    return location;
  }

  S3Errors errors() {
    return errors;
  }

  private interface Request<T> {
    T send();
  }

  private <T> T send(S3Operation operation, @Nullable String name, Request<T> request)
      throws IOException {
    try {
      return request.send();
    } catch (SdkException e) {
      throw errors.failure(operation, name, e);
    }
  }

  private static boolean isPreconditionFailed(S3Exception e) {
    return e.statusCode() == 412;
  }

  /** A request that makes an object unless there is one; false: there is. */
  private boolean sendCondition(S3Operation operation, String name, Runnable request)
      throws IOException {
    try {
      request.run();
      return true;
    } catch (S3Exception e) {
      if (isPreconditionFailed(e)) {
        return false;
      }
      if (e.statusCode() == 501) {
        throw errors.noConditionalWrites(e);
      }
      throw errors.failure(operation, name, e);
    } catch (SdkException e) {
      throw errors.failure(operation, name, e);
    }
  }

  /**
   * Makes an object unless there is one.
   *
   * @param writer to know it by
   * @return false when there is one, perhaps made by an earlier try whose reply was lost
   */
  boolean put(S3Operation operation, String name, byte[] content, int length, String writer)
      throws IOException {
    return sendCondition(
        operation,
        name,
        () ->
            client.putObject(
                put ->
                    put.bucket(location.bucket())
                        .key(location.key(name))
                        .ifNoneMatch(NOBODY)
                        .metadata(Map.of(WRITER, writer))
                        .checksumCRC32C(checksum(content, length)),
                body(content, length)));
  }

  /** Begins an object of several parts, which nobody sees before it is completed. */
  String beginParts(String name, String writer) throws IOException {
    return send(
            S3Operation.WRITE,
            name,
            () ->
                client.createMultipartUpload(
                    create ->
                        create
                            .bucket(location.bucket())
                            .key(location.key(name))
                            .metadata(Map.of(WRITER, writer))
                            .checksumAlgorithm(ChecksumAlgorithm.CRC32_C)))
        .uploadId();
  }

  /** Writes the part of this number, the first being 1. */
  CompletedPart putPart(String name, String upload, int number, byte[] content, int length)
      throws IOException {
    String checksum = checksum(content, length);
    String tag =
        send(
                S3Operation.WRITE,
                name,
                () ->
                    client.uploadPart(
                        part ->
                            part.bucket(location.bucket())
                                .key(location.key(name))
                                .uploadId(upload)
                                .partNumber(number)
                                .checksumCRC32C(checksum),
                        body(content, length)))
            .eTag();
    return CompletedPart.builder().partNumber(number).eTag(tag).checksumCRC32C(checksum).build();
  }

  /** Makes the object of its parts; as {@link #put}. */
  boolean completeParts(String name, String upload, List<CompletedPart> parts, String writer)
      throws IOException {
    try {
      return sendCondition(
          S3Operation.WRITE,
          name,
          () ->
              client.completeMultipartUpload(
                  complete ->
                      complete
                          .bucket(location.bucket())
                          .key(location.key(name))
                          .uploadId(upload)
                          .ifNoneMatch(NOBODY)
                          .multipartUpload(all -> all.parts(parts))));
    } catch (S3Failure e) {
      // An earlier try may have ended the upload.
      if (isNoSuchUpload(e.getCause()) && isOf(name, writer)) {
        return true;
      }
      throw e;
    }
  }

  private static boolean isNoSuchUpload(@Nullable Throwable e) {
    return e instanceof S3Exception s3
        && s3.awsErrorDetails() != null
        && "NoSuchUpload".equals(s3.awsErrorDetails().errorCode());
  }

  /** Gives up an object of several parts. */
  void abandonParts(String name, String upload) throws IOException {
    try {
      send(
          S3Operation.ABANDON,
          name,
          () ->
              client.abortMultipartUpload(
                  abort ->
                      abort.bucket(location.bucket()).key(location.key(name)).uploadId(upload)));
    } catch (S3Failure e) {
      if (!isNoSuchUpload(e.getCause())) {
        throw e;
      }
    }
  }

  /** Whether the object is there and was made by this writer. */
  boolean isOf(String name, String writer) throws IOException {
    try {
      return writer.equals(metadata(name).get(WRITER));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private Map<String, String> metadata(String name) throws IOException {
    try {
      return client
          .headObject(head -> head.bucket(location.bucket()).key(location.key(name)))
          .metadata();
    } catch (S3Exception e) {
      throw readFailure(name, e);
    } catch (SdkException e) {
      throw errors.failure(S3Operation.READ, name, e);
    }
  }

  private IOException readFailure(String name, S3Exception e) {
    boolean missing =
        e.statusCode() == 404
            && (e.awsErrorDetails() == null
                || !"NoSuchBucket".equals(e.awsErrorDetails().errorCode()));
    return missing ? new NoSuchFileException(name) : errors.failure(S3Operation.READ, name, e);
  }

  /** A part of an object; empty when it is not that long. */
  byte[] read(String name, long offset, int length) throws IOException {
    if (length == 0) {
      // There is no range without a byte.
      metadata(name);
      return new byte[0];
    }
    try {
      return client.getObject(
          get ->
              get.bucket(location.bucket())
                  .key(location.key(name))
                  .range("bytes=" + offset + "-" + (offset + length - 1)),
          (reply, body) -> part(reply, body, offset, length));
    } catch (S3Exception e) {
      if (e.statusCode() == 416) {
        return new byte[0];
      }
      throw readFailure(name, e);
    } catch (SdkException e) {
      throw errors.failure(S3Operation.READ, name, e);
    }
  }

  /** The body of a reply, which is never held in memory beyond what was asked for. */
  private static byte[] part(GetObjectResponse reply, InputStream body, long offset, int length) {
    // A server may ignore the range and send all of it.
    boolean whole = reply.contentRange() == null;
    Long sent = reply.contentLength();
    long expected = sent == null ? 0 : whole ? sent - offset : sent;
    try {
      if (whole && sent != null && expected <= 0) {
        return new byte[0];
      }
      if (whole) {
        body.skipNBytes(offset);
      }
      byte[] part = body.readNBytes(length);
      if (part.length < Math.min(length, expected)) {
        throw RetryableException.create("the reply ended after " + part.length + " bytes");
      }
      return part;
    } catch (IOException e) {
      throw RetryableException.create("the reply broke off", e);
    }
  }

  /** All objects of a folder, sorted. */
  List<StoredObject> list(String folder) throws IOException {
    String prefix = location.key(folder + "/");
    List<StoredObject> objects = new ArrayList<>();
    send(
        S3Operation.LIST,
        null,
        () -> {
          for (S3Object object :
              client
                  .listObjectsV2Paginator(
                      list -> list.bucket(location.bucket()).prefix(prefix).delimiter("/"))
                  .contents()) {
            String name = location.name(object.key());
            if (ObjectNames.isValid(name)) {
              objects.add(new StoredObject(name, object.size()));
            }
          }
          return objects;
        });
    objects.sort(Comparator.comparing(StoredObject::name));
    return objects;
  }

  /** Finds out whether objects can be listed. */
  void tryToList() throws IOException {
    send(
        S3Operation.LIST,
        null,
        () ->
            client.listObjectsV2(
                list -> list.bucket(location.bucket()).prefix(location.key("")).maxKeys(1)));
  }

  /** Deletes objects, all that can be even if some cannot. */
  void delete(List<String> names) throws IOException {
    List<S3Error> problems = new ArrayList<>();
    for (int from = 0; from < names.size(); from += MAX_DELETED) {
      List<ObjectIdentifier> batch = new ArrayList<>();
      for (String name : names.subList(from, Math.min(names.size(), from + MAX_DELETED))) {
        batch.add(ObjectIdentifier.builder().key(location.key(name)).build());
      }
      DeleteObjectsResponse reply =
          send(
              S3Operation.DELETE,
              null,
              () ->
                  client.deleteObjects(
                      delete ->
                          delete
                              .bucket(location.bucket())
                              .delete(objects -> objects.objects(batch).quiet(true))));
      for (S3Error error : reply.errors()) {
        if (!"NoSuchKey".equals(error.code())) {
          problems.add(error);
        }
      }
    }
    if (!problems.isEmpty()) {
      throw errors.notDeleted(
          problems.size(),
          names.size(),
          problems.stream()
              .limit(MAX_PROBLEMS)
              .map(error -> "'" + location.name(error.key()) + "' (" + error.code() + ")")
              .toList(),
          problems.stream().anyMatch(error -> "AccessDenied".equals(error.code())));
    }
  }

  /** Not a copy; sent anew at every try. */
  private static RequestBody body(byte[] content, int length) {
    return RequestBody.fromContentProvider(
        () -> new ByteArrayInputStream(content, 0, length), length, CONTENT_TYPE);
  }

  private static String checksum(byte[] content, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(content, 0, length);
    byte[] bytes = ByteBuffer.allocate(Integer.BYTES).putInt((int) checksum.getValue()).array();
    return Base64.getEncoder().encodeToString(bytes);
  }

  @Override
  public void close() {
    client.close();
  }
}
