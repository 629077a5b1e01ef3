package io.streamforge.connector.file;

import io.streamforge.error.ErrorCode;
import io.streamforge.error.ErrorContext;
import io.streamforge.error.StreamForgeException;
import io.streamforge.sink.CommitResult;
import io.streamforge.sink.Committable;
import io.streamforge.sink.Ownership;
import io.streamforge.sink.SinkContext;
import io.streamforge.sink.WriterMarker;
import io.streamforge.sink.WriterState;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A directory whose files become visible with checkpoints, and what is hidden in it. */
final class CommitDirectory {
  /*
   *   part-0-7.txt                   visible
   *   .part-0-7.txt.12.uncommitted   hidden: written, or prepared, by attempt 12
   *   .committed-0-42-7              a marker: of task 0, checkpoint 42 and part 7 came last
   *   .attempt-12                    the number that was taken last
   *   .sink-JOB-NODE                 who writes here
   *
   * A hidden name is never used twice, since attempts are not. So whatever a sleeping process does
   * by name when it wakes up, it does to its own files, and moving a hidden file can succeed for one
   * process only. It is moved, not linked: a reader may take a part away at any time, and as long
   * as the hidden name was there too, whoever comes next could not know that it had been visible.
   *
   * A commit writes the marker, forces the directory, moves the file, forces the directory.
   *
   *   dies before the move           the hidden file is there: it is moved
   *   dies behind it                 it is not there: the part is visible, or the marker has its
   *                                  number and a reader has taken it away
   *   neither there, marker below    somebody has deleted a hidden file: lost
   *
   * The marker comes first because the other order would call a part lost that a reader has taken
   * before the marker was there. Its price: a hidden file that is deleted between marker and move
   * is not missed; of each task at most the one file that was about to be moved.
   *
   * Markers are files without content that are only ever created: no marker can be torn, and none
   * of a process that slept takes back a later one; the highest counts.
   */
  private static final Pattern ATTEMPT = Pattern.compile("\\.attempt-(\\d{1,18})");
  private static final String OWNER = ".sink-";

  private final Path directory;
  private final PartDisk disk;
  private final String node;

  /** The file that says whose directory it is, and those of the names that the sink had before. */
  private final String owner;

  private final List<String> previousOwners;

  CommitDirectory(Path directory, PartDisk disk, SinkContext context) {
    this.directory = directory;
    this.disk = disk;
    this.node = context.node();
    this.owner = ownerName(context.job(), node);
    this.previousOwners =
        context.previously().stream().map(name -> ownerName(context.job(), name)).toList();
  }

  private static String ownerName(String job, String node) {
    return OWNER + encoded(job) + "-" + encoded(node);
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("-", "%2D");
  }

  /** What {@link FileSink#fence} does. */
  List<WriterMarker> fence() throws IOException {
    disk.createDirectories(directory);
    own();
    claim();
    return markers();
  }

  /** What {@link FileSink#recover} does. */
  void recover(List<WriterState> writers, Ownership ownership) throws Exception {
    long attempt = highestAttempt(disk.list(directory));
    // Whoever takes over from here on gets a higher number.
    ownership.check();
    for (WriterState writer : writers) {
      for (Committable committable : writer.committables()) {
        if (commit(committable) instanceof CommitResult.Lost lost) {
          throw lost(writer, committable, lost);
        }
      }
    }
    takeOverFromPreviousNames();
    deleteUncommittedBefore(attempt);
  }

  /** Two sinks in one directory would take each other's hidden files for left behind. */
  private void own() throws IOException {
    // Until the sink has recovered the old name stands: the job may yet be started under it.
    if (disk.list(directory).stream().noneMatch(previousOwners::contains)) {
      touch(owner);
      disk.forceDirectory(directory);
    }
    for (String name : disk.list(directory)) {
      if (name.startsWith(OWNER) && !name.equals(owner) && !previousOwners.contains(name)) {
        disk.deleteIfExists(directory.resolve(owner));
        throw FileSinkErrors.failed(
            node,
            "another sink writes into " + directory + " with checkpoints: it left " + name,
            "Give each sink a directory of its own. If it is this sink under an earlier name, say so"
                + " with previously(\""
                + node
                + "\", oldName) of the topology's builder, or, where the job has another name,"
                + " rename that file to "
                + owner
                + "; if it writes there no more, delete the file.",
            null);
      }
    }
  }

  private void takeOverFromPreviousNames() throws IOException {
    List<String> previous = disk.list(directory).stream().filter(previousOwners::contains).toList();
    if (previous.isEmpty()) {
      return;
    }
    touch(owner);
    disk.forceDirectory(directory);
    for (String name : previous) {
      disk.deleteIfExists(directory.resolve(name));
    }
  }

  /** A number that nobody else ever gets in this directory. */
  long claim() throws IOException {
    long attempt = highestAttempt(disk.list(directory)) + 1;
    while (true) {
      boolean created = touch(attemptName(attempt));
      // The highest is never deleted: who finds none above has a number that was never there.
      List<String> names = disk.list(directory);
      long highest = highestAttempt(names);
      if (created && highest == attempt) {
        disk.forceDirectory(directory);
        for (long lower : attempts(names).filter(other -> other < highest).toList()) {
          disk.deleteIfExists(directory.resolve(attemptName(lower)));
        }
        return attempt;
      }
      attempt = highest + 1;
    }
  }

  private static String attemptName(long attempt) {
    return ".attempt-" + attempt;
  }

  private static Stream<Long> attempts(List<String> names) {
    return names.stream()
        .map(ATTEMPT::matcher)
        .filter(Matcher::matches)
        .map(match -> Long.parseLong(match.group(1)));
  }

  private static long highestAttempt(List<String> names) {
    return attempts(names).mapToLong(Long::longValue).max().orElse(0);
  }

  /** Makes an empty file; says whether it was not there. */
  private boolean touch(String name) throws IOException {
    try {
      disk.create(directory.resolve(name)).close();
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  private void deleteUncommittedBefore(long attempt) throws IOException {
    for (String name : disk.list(directory)) {
      PreparedPart part = PreparedPart.ofHidden(name);
      if (part != null && part.attempt() < attempt) {
        disk.deleteIfExists(directory.resolve(name));
      }
    }
    disk.forceDirectory(directory);
  }

  private List<WriterMarker> markers() throws IOException {
    Map<Integer, Long> highest = new TreeMap<>();
    CommitMarker.in(disk.list(directory))
        .forEach(marker -> highest.merge(marker.task(), marker.checkpoint(), Math::max));
    return highest.entrySet().stream()
        .map(marker -> new WriterMarker(Integer.toString(marker.getKey()), marker.getValue()))
        .toList();
  }

  /** Makes one part visible. */
  CommitResult commit(Committable committable) throws IOException {
    PreparedPart.Sized prepared = PreparedPart.Sized.of(committable.content());
    PreparedPart part = prepared.part();
    Path hidden = directory.resolve(part.hiddenName());
    Path target = directory.resolve(part.name());
    long size = disk.size(hidden);
    if (size < 0) {
      return withoutHidden(prepared, target);
    }
    if (size != prepared.length()) {
      return new CommitResult.Lost(
          hidden + " has " + size + " bytes in place of " + prepared.length());
    }
    if (disk.size(target) >= 0) {
      if (disk.size(hidden) < 0) {
        return withoutHidden(prepared, target);
      }
      throw FileSinkErrors.failed(
          node,
          target + " is there already, and this sink did not write it",
          "Move it away and start the job again; the output that belongs there is in "
              + hidden.getFileName()
              + ".",
          null);
    }
    mark(new CommitMarker(part.task(), committable.checkpoint(), part.sequence()));
    try {
      disk.move(hidden, target);
    } catch (NoSuchFileException e) {
      // A process that commits the same was faster.
      return withoutHidden(prepared, target);
    }
    disk.forceDirectory(directory);
    return new CommitResult.Committed();
  }

  private CommitResult withoutHidden(PreparedPart.Sized prepared, Path target) throws IOException {
    PreparedPart part = prepared.part();
    if (disk.size(target) == prepared.length()
        || CommitMarker.sequence(disk.list(directory), part.task()) >= part.sequence()) {
      // Whoever moved it may have died before this.
      disk.forceDirectory(directory);
      return new CommitResult.AlreadyCommitted();
    }
    return new CommitResult.Lost(
        "neither "
            + directory.resolve(part.hiddenName())
            + " nor "
            + part.name()
            + " is there, and no marker says that it was");
  }

  private void mark(CommitMarker marker) throws IOException {
    List<String> names = disk.list(directory);
    touch(marker.fileName());
    disk.forceDirectory(directory);
    for (CommitMarker other : CommitMarker.in(names).toList()) {
      if (other.task() == marker.task()
          && other.checkpoint() <= marker.checkpoint()
          && other.sequence() < marker.sequence()) {
        disk.deleteIfExists(directory.resolve(other.fileName()));
      }
    }
  }

  private StreamForgeException lost(
      WriterState writer, Committable committable, CommitResult.Lost lost) {
    return new StreamForgeException(
        ErrorCode.SINK_FAILED,
        ErrorContext.node(node),
        "output of writer "
            + writer.writer()
            + " for checkpoint "
            + committable.checkpoint()
            + " is lost: "
            + lost.what(),
        "Put the hidden file back from a copy, or start from another checkpoint or savepoint. Only"
            + " the job may remove hidden files of the directory.",
        null);
  }
}
