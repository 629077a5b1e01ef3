package io.streamforge.storage;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of storage that a program has, each chosen by the scheme of a location: {@code
 * /var/lib/job} and {@code file:/var/lib/job} are directories, {@code s3://bucket/job} is a part of
 * a bucket. Immutable.
 */
public final class CheckpointStorages {
  private static final String FILE = "file";

  /** Schemes of modules of ours that may not be on the class path. */
  private static final Map<String, String> MODULES = Map.of("s3", "io.streamforge:streamforge-s3");

  /** Of two characters at least: a single one is a drive. */
  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]+):.*");

  private final TreeMap<String, CheckpointStorageProvider> providers = new TreeMap<>();

  private CheckpointStorages(Iterable<CheckpointStorageProvider> providers) {
    for (CheckpointStorageProvider provider : providers) {
      for (String scheme : provider.schemes()) {
        CheckpointStorageProvider other = this.providers.putIfAbsent(scheme, provider);
        if (other != null && !other.getClass().equals(provider.getClass())) {
          throw invalid(
              "two kinds of storage are for locations that begin with '"
                  + scheme
                  + ":': "
                  + other.getClass().getName()
                  + " and "
                  + provider.getClass().getName(),
              "Leave only one of them on the class path.",
              null);
        }
      }
    }
  }

  /**
   * Those that a class loader knows, usually the one of the job's classes.
   *
   * @throws StreamForgeException {@link ErrorCode#CONFIG_INVALID} when one cannot be loaded, or two
   *     are for the same scheme
   */
  public static CheckpointStorages load(ClassLoader loader) {
    try {
      return of(ServiceLoader.load(CheckpointStorageProvider.class, loader));
    } catch (ServiceConfigurationError e) {
      throw invalid(
          "a kind of storage on the class path cannot be loaded: " + e.getMessage(),
          "Put the module that it is in on the class path with all that it needs, in one version.",
          e);
    }
  }

  /**
   * Exactly these.
   *
   * @throws StreamForgeException {@link ErrorCode#CONFIG_INVALID} when two are for the same scheme
   */
  public static CheckpointStorages of(Iterable<CheckpointStorageProvider> providers) {
    return new CheckpointStorages(providers);
  }

  /**
   * The storage at a location, to read and write.
   *
   * @throws StreamForgeException {@link ErrorCode#CONFIG_INVALID} when the location is none or its
   *     scheme is not known, {@link ErrorCode#STORAGE_UNAVAILABLE} when the place does not exist or
   *     may not be read or written
   */
  public CheckpointStorage open(String location) {
    return provider(location).open(location);
  }

  /**
   * The storage at a location, to read only.
   *
   * @throws StreamForgeException as {@link #open}
   */
  public CheckpointStorage openExisting(String location) {
    return provider(location).openExisting(location);
  }

  private CheckpointStorageProvider provider(String location) {
    String scheme = scheme(location);
    CheckpointStorageProvider provider = providers.get(scheme);
    if (provider != null) {
      return provider;
    }
    String module = MODULES.get(scheme);
    throw invalid(
        "there is no storage for the location '"
            + location
            + "': the scheme '"
            + scheme
            + "' is not among "
            + String.join(", ", providers.keySet()),
        module != null
            ? "To keep checkpoints there, add " + module + " to the class path."
            : "Write a location with one of these schemes, or a path; a path that has a colon in"
                + " its first part begins with ./",
        null);
  }

  private static String scheme(String location) {
    Matcher matcher = SCHEME.matcher(location);
    return matcher.matches() ? matcher.group(1).toLowerCase(Locale.ROOT) : FILE;
  }

  private static StreamForgeException invalid(
      String summary, String remedy, @Nullable Throwable cause) {
    return new StreamForgeException(
        ErrorCode.CONFIG_INVALID, ErrorContext.NONE, summary, remedy, cause);
  }
}
