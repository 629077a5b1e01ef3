package io.streamforge.storage.s3;

import io.streamforge.error.StreamForgeException;
import io.streamforge.storage.CheckpointStorage;
import io.streamforge.storage.ObjectNames;
import io.streamforge.storage.ObjectWriter;
import io.streamforge.storage.StoredObject;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.utils.SdkAutoCloseable;

/**
 * Objects in a bucket of S3, or of a server with the same protocol that knows conditional writes
 * and makes each of them in one step. Credentials come from the default chain of the AWS SDK.
 *
 * <p>A request that fails in a way that may pass is tried again, for two minutes at most. Each
 * writer holds up to 8 MiB in memory.
 */
public final class S3Storage implements CheckpointStorage {
  /*
   * Every object is made by a request with If-None-Match: *, so nothing is ever overwritten: of all
   * who create an object the server lets one through. A try whose reply was lost is sent again and
   * then meets its own object. For a creation that is a "no" as any other, which the caller settles
   * by reading. An object of a writer carries a token in its metadata, by which the writer knows it.
   *
   * A creation that timed out may still arrive later; the condition holds for it, too.
   */
  private static final String TEMPORARY = "tmp";
  private static final int TOKEN_BYTES = 8;

  private final S3Bucket bucket;
  private final S3Limits limits;
  private final AwsCredentialsProvider credentials;
  private final String token;
  private final AtomicLong sequence = new AtomicLong();

  private S3Storage(
      S3Bucket bucket, S3Limits limits, AwsCredentialsProvider credentials, String token) {
    this.bucket = bucket;
    this.limits = limits;
    this.credentials = credentials;
    this.token = token;
  }

  /**
   * The storage in a part of a bucket. What it needs is tried: that objects can be listed, read,
   * made and deleted, and that the server refuses to make one a second time. For that an object is
   * made in {@code tmp} and deleted again.
   *
   * @param location {@code s3://bucket/prefix}
   * @throws StreamForgeException {@link io.streamforge.error.ErrorCode#STORAGE_UNAVAILABLE} when
   *     the bucket does not exist or cannot be reached, credentials or permissions are missing, or
   *     the server has no conditional writes; {@link io.streamforge.error.ErrorCode#CONFIG_INVALID}
   *     when the location is none
   */
  public static S3Storage open(String location, S3Settings settings) {
    return open(S3Location.parse(location), settings, defaultCredentials(), S3Limits.DEFAULT);
  }

  /**
   * The storage in a part of a bucket, to read only; nothing is made there.
   *
   * @param location {@code s3://bucket/prefix}
   * @throws StreamForgeException as {@link #open}, of what reading needs
   */
  public static S3Storage openExisting(String location, S3Settings settings) {
    return openExisting(
        S3Location.parse(location), settings, defaultCredentials(), S3Limits.DEFAULT);
  }

  private static AwsCredentialsProvider defaultCredentials() {
    return DefaultCredentialsProvider.builder().build();
  }

  /** With credentials and limits that tests provide. */
  static S3Storage open(
      S3Location location,
      S3Settings settings,
      AwsCredentialsProvider credentials,
      S3Limits limits) {
    S3Storage storage = openExisting(location, settings, credentials, limits);
    try {
      storage.tryToWrite();
      return storage;
    } catch (IOException e) {
      storage.close();
      throw unavailable(location, e);
    }
  }

  /** With credentials and limits that tests provide. */
  static S3Storage openExisting(
      S3Location location,
      S3Settings settings,
      AwsCredentialsProvider credentials,
      S3Limits limits) {
    Region region = S3Clients.region(location, settings);
    S3Errors errors = new S3Errors(location, S3Clients.describe(settings, region));
    S3Client client = S3Clients.create(settings, region, credentials, limits);
    S3Storage storage =
        new S3Storage(new S3Bucket(location, client, errors), limits, credentials, randomToken());
    try {
      checkCredentials(credentials, errors);
      storage.tryToRead();
      return storage;
    } catch (IOException e) {
      storage.close();
      throw unavailable(location, e);
    }
  }

  private static String randomToken() {
    byte[] bytes = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static void checkCredentials(AwsCredentialsProvider credentials, S3Errors errors)
      throws IOException {
    try {
      credentials.resolveCredentials();
    } catch (SdkClientException e) {
      throw errors.noCredentials(e);
    }
  }

  private static StreamForgeException unavailable(S3Location location, IOException e) {
    S3Failure failure =
        e instanceof S3Failure known
            ? known
            : new S3Failure(
                "checkpoints in " + location + " cannot be opened: " + e.getMessage(),
                "try again",
                e);
    return failure.atOpen(location);
  }

  /** That an object is missing has to be told from that it may not be read. */
  private void tryToRead() throws IOException {
    bucket.tryToList();
    try {
      read(probe(), 0, 1);
    } catch (NoSuchFileException e) {
      // As it should be.
      return;
    }
  }

  private String probe() {
    return TEMPORARY + "/probe-" + token;
  }

  /** With a name of its own: another process that opens the storage must not be in between. */
  private void tryToWrite() throws IOException {
    String probe = probe();
    try {
      createIfAbsent(probe, new byte[] {1});
      if (createIfAbsent(probe, new byte[] {2})) {
        throw bucket.errors().noConditionalWrites(null);
      }
    } catch (IOException e) {
      try {
        delete(List.of(probe));
      } catch (IOException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
    delete(List.of(probe));
  }

  private String nextWriter() {
    return token + "-" + sequence.getAndIncrement();
  }

  @Override
  public ObjectWriter write(String name) {
    return new S3ObjectWriter(bucket, ObjectNames.checked(name), nextWriter(), limits.partBytes());
  }

  /** Does nothing: S3 replies when an object or a deletion survives everything. */
  @Override
  public void sync() {}

  @Override
  public boolean createIfAbsent(String name, byte[] content) throws IOException {
    return bucket.put(
        S3Operation.CREATE, ObjectNames.checked(name), content, content.length, nextWriter());
  }

  @Override
  public byte[] read(String name, long offset, int length) throws IOException {
    return bucket.read(ObjectNames.checked(name), offset, length);
  }

  @Override
  public List<StoredObject> list(String folder) throws IOException {
    return bucket.list(ObjectNames.checked(folder));
  }

  @Override
  public void delete(Collection<String> names) throws IOException {
    bucket.delete(names.stream().map(ObjectNames::checked).toList());
  }

  @Override
  public String location() {
    return bucket.location().toString();
  }

  @Override
  public void close() {
    bucket.close();
    if (credentials instanceof SdkAutoCloseable closeable) {
      closeable.close();
    }
  }

  @Override
  public String toString() {
    return location();
  }
}
