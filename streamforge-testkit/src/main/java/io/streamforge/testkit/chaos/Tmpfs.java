package io.streamforge.testkit.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A small disk in memory, mounted at a directory. To mount it takes privileges, and Linux. */
final class Tmpfs implements AutoCloseable {
  private static final long BYTES = 8 << 20;
  private static final int CHUNK = 64 << 10;
  private static final int PAGE = 4 << 10;

  /** A file that is open for writing keeps a disk from becoming read-only. */
  private static final int TRIES = 1_000;

  private static final long PAUSE_MILLIS = 2;

  private final Path directory;

  private Tmpfs(Path directory) {
    this.directory = directory;
  }

  /**
   * Mounts one.
   *
   * @param directory is made
   */
  static Tmpfs mount(Path directory) throws IOException {
    Files.createDirectories(directory);
    run("mount", "-t", "tmpfs", "-o", "size=" + BYTES, "streamforge-chaos", directory.toString());
    return new Tmpfs(directory);
  }

  /** Why none can be mounted below a directory; null when it can. */
  static @Nullable String problem(Path directory) {
    try {
      mount(directory.resolve("probe")).close();
      return null;
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      if (process.waitFor() != 0) {
        throw new IOException(String.join(" ", command) + ": " + said.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for " + command[0], e);
    }
  }

  private void remount(String options) throws IOException {
    run("mount", "-o", "remount," + options, directory.toString());
  }

  /** As much room again as there was at first. */
  void makeRoom() throws IOException {
    FileStore store = Files.getFileStore(directory);
    remount("size=" + (store.getTotalSpace() - store.getUsableSpace() + BYTES));
  }

  @Override
  public void close() throws IOException {
    // Also while somebody still uses it.
    run("umount", "-l", directory.toString());
  }

  /** It gets full, and whatever is freed is taken at once. */
  Outage full() {
    return new Full(directory.resolve("filler"));
  }

  /** Nothing can be written. */
  Outage readOnly() {
    return new Outage() {
      private boolean begun;

      @Override
      public void begin() throws IOException {
        for (int i = 1; !begun; i++) {
          try {
            remount("bind,ro");
            begun = true;
          } catch (IOException e) {
            if (i == TRIES) {
              throw e;
            }
          }
        }
      }

      @Override
      public void end() throws IOException {
        if (begun) {
          remount("bind,rw");
          begun = false;
        }
      }

      @Override
      public String reason() {
        return "Read-only file system";
      }
    };
  }

  private static final class Full implements Outage {
    private final Path filler;
    private final List<Thread> threads = new ArrayList<>();
    private CountDownLatch ended = new CountDownLatch(0);

    Full(Path filler) {
      this.filler = filler;
    }

    @Override
    public void begin() throws IOException {
      CountDownLatch full = new CountDownLatch(1);
      ended = new CountDownLatch(1);
      Thread thread = new Thread(() -> fill(full, ended), "chaos-filler");
      thread.setDaemon(true);
      thread.start();
      threads.add(thread);
      await(full);
    }

    private void fill(CountDownLatch full, CountDownLatch end) {
      int length = CHUNK;
      try (var out = Files.newOutputStream(filler)) {
        while (end.getCount() > 0) {
          try {
            out.write(new byte[length]);
          } catch (IOException e) {
            if (length > PAGE) {
              length = PAGE;
            } else {
              full.countDown();
              end.await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            }
          }
        }
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException("the disk of " + filler + " cannot be filled", e);
      } finally {
        full.countDown();
      }
    }

    private static void await(CountDownLatch latch) throws IOException {
      try {
        latch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while a disk gets full", e);
      }
    }

    @Override
    public void end() throws IOException {
      ended.countDown();
      for (Thread thread : threads) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new IOException("interrupted while a disk is freed", e);
        }
      }
      threads.clear();
      Files.deleteIfExists(filler);
    }

    @Override
    public String reason() {
      return "No space left on device";
    }
  }
}
