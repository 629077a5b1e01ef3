package io.streamforge.backend.rocksdb;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class NativeMemoryTest {
  private static final long MIB = 1L << 20;
  private static final String SETTING = "state.nativeMemoryBytes";

  @Test
  void heapAndNativeMemoryMayTogetherBeAllThatThereIs() {
    assertThatCode(() -> NativeMemory.check(SETTING, 300 * MIB, 700 * MIB, 1_000 * MIB))
        .doesNotThrowAnyException();
  }

  @Test
  void oneMebibyteMoreIsRefusedWithAllThreeNumbers() {
    assertThatThrownBy(() -> NativeMemory.check(SETTING, 301 * MIB, 700 * MIB, 1_000 * MIB))
        .hasMessageContaining(
            "state.nativeMemoryBytes is 301 MiB and the heap may grow to 700 MiB, together more than"
                + " the 1000 MiB of this machine or container");
  }
}
