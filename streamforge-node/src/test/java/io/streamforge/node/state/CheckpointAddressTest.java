package io.streamforge.node.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CheckpointAddressTest {
  @Test
  void aNumberBehindTheLastAtIsThatOfACheckpoint() {
    assertThat(CheckpointAddress.parse("state")).isEqualTo(new CheckpointAddress("state", null));
    assertThat(CheckpointAddress.parse("s3://bucket/job@17"))
        .isEqualTo(new CheckpointAddress("s3://bucket/job", 17L));
    assertThat(CheckpointAddress.parse("user@host/job"))
        .isEqualTo(new CheckpointAddress("user@host/job", null));
  }

  @Test
  void aLocationThatEndsLikeOneIsWrittenWithAFurtherAt() {
    assertThat(CheckpointAddress.parse("state@17@"))
        .isEqualTo(new CheckpointAddress("state@17", null));
    assertThat(CheckpointAddress.parse("state@17@18"))
        .isEqualTo(new CheckpointAddress("state@17", 18L));
  }
}
