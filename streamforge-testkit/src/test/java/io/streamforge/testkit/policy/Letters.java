package io.streamforge.testkit.policy;

import io.streamforge.error.DeadLetter;
import io.streamforge.record.Record;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Dead letters as tests compare them. */
final class Letters {
  private Letters() {}

  /** Key, value and the class of what was thrown, such as {@code k=x NumberFormatException}. */
  static List<String> texts(List<Record<byte[], byte[]>> letters) {
    return letters.stream().map(Letters::text).toList();
  }

  static String text(Record<byte[], byte[]> letter) {
    String exception = DeadLetter.of(letter).exception();
    return text(letter.key())
        + "="
        + text(letter.value())
        + " "
        + exception.substring(exception.lastIndexOf('.') + 1);
  }

  static String text(byte[] bytes) {
    return bytes == null ? "null" : new String(bytes, StandardCharsets.UTF_8);
  }
}
