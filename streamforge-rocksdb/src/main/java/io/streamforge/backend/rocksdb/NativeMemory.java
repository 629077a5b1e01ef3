package io.streamforge.backend.rocksdb;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** Whether the memory that was asked for is there. */
final class NativeMemory {
  private static final long MIB = 1L << 20;

  private NativeMemory() {}

  /**
   * Checks a setting against the machine, or the container that the JVM sees.
   *
   * @param setting its name
   * @throws io.streamforge.error.StreamForgeException when heap and native memory together are more
   */
  static void check(String setting, long nativeBytes) {
    OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    check(setting, nativeBytes, Runtime.getRuntime().maxMemory(), system.getTotalMemorySize());
  }

  static void check(String setting, long nativeBytes, long heapBytes, long machineBytes) {
    if (nativeBytes > machineBytes - heapBytes) {
      throw RocksDbErrors.unfit(
          setting
              + " is "
              + mebibytes(nativeBytes)
              + " and the heap may grow to "
              + mebibytes(heapBytes)
              + ", together more than the "
              + mebibytes(machineBytes)
              + " of this machine or container",
          "Lower " + setting + " or the heap (-Xmx), or give the container more memory.");
    }
  }

  private static String mebibytes(long bytes) {
    return bytes / MIB + " MiB";
  }
}
