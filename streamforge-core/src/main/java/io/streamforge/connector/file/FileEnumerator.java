package io.streamforge.connector.file;

import io.streamforge.error.StreamForgeException;
import io.streamforge.source.Split;
import io.streamforge.source.SplitEnumerator;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds files; those that exist at the start are also checked. A file is the same whether its path
 * is written from the root or from the working directory, so it is read once.
 */
final class FileEnumerator implements SplitEnumerator {
  private final FileFormat<?> format;
  private final List<Path> paths;
  private final FileReadSettings settings;
  private final Set<Path> known = new HashSet<>();
  private List<Split> first;

  /** Throws a {@link StreamForgeException} when a path cannot be read. */
  FileEnumerator(FileFormat<?> format, List<Path> paths, FileReadSettings settings) {
    this.format = format;
    this.paths = paths;
    this.settings = settings;
    this.first = find(true);
  }

  @Override
  public void restore(List<Split> restored) {
    Set<Path> read = new HashSet<>();
    restored.forEach(split -> read.add(identity(Path.of(split.id()))));
    known.addAll(read);
    first = first.stream().filter(split -> !read.contains(identity(Path.of(split.id())))).toList();
  }

  private static Path identity(Path file) {
    return file.toAbsolutePath().normalize();
  }

  @Override
  public List<Split> discover() {
    if (first.isEmpty()) {
      return find(false);
    }
    List<Split> found = first;
    first = List.of();
    return found;
  }

  @Override
  public long discoveryMillis() {
    return settings.follow() ? settings.poll().toMillis() : 0;
  }

  private List<Split> find(boolean check) {
    List<Split> found = new ArrayList<>();
    for (Path path : paths) {
      for (Path file : files(path)) {
        if (known.add(identity(file))) {
          if (check) {
            check(file);
          }
          found.add(new Split(file.toString(), 0));
        }
      }
    }
    return found;
  }

  private List<Path> files(Path path) {
    if (!Files.isDirectory(path)) {
      if (!Files.exists(path) && known.isEmpty()) {
        throw FileErrors.missing(path);
      }
      return List.of(path);
    }
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        if (!name.startsWith(".") && !name.endsWith(".tmp") && Files.isRegularFile(entry)) {
          files.add(entry);
        }
      }
    } catch (IOException e) {
      throw FileErrors.unreadable(path, e);
    }
    if (files.isEmpty() && !settings.follow()) {
      throw FileErrors.empty(path);
    }
    Collections.sort(files);
    return files;
  }

  /** A pipe cannot be looked into and read afterwards. */
  private void check(Path file) {
    if (!Files.isReadable(file)) {
      throw FileErrors.denied(file, null);
    }
    if (format.hasHeader() && Files.isRegularFile(file)) {
      try (FileCursor<?> cursor = new FileCursor<>(format, file, 0, settings)) {
        cursor.open();
      } catch (IOException e) {
        throw FileErrors.unreadable(file, e);
      }
    }
  }
}
