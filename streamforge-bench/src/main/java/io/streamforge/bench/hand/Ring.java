package io.streamforge.bench.hand;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** Batches from one thread to another, and back when they are empty. */
final class Ring {
  private static final int BATCHES = 16;

  private final AtomicReferenceArray<@Nullable Batch> sent = new AtomicReferenceArray<>(BATCHES);
  private final AtomicReferenceArray<@Nullable Batch> free = new AtomicReferenceArray<>(BATCHES);
  private final Sender sender = new Sender();
  private final Receiver receiver = new Receiver();

  /** What only the sender touches, apart from what the receiver does. */
  private static final class Sender {
    int free;
    int sent;
  }

  private static final class Receiver {
    int sent;
    int free;
  }

  Ring() {
    for (int i = 0; i < BATCHES; i++) {
      free.set(i, new Batch());
    }
  }

  /** Sender: an empty batch; null when all are under way. */
  @Nullable Batch empty() {
    Batch batch = free.getAcquire(sender.free);
    if (batch != null) {
      free.setRelease(sender.free, null);
      sender.free = next(sender.free);
    }
    return batch;
  }

  /** Sender: sends it. */
  void send(Batch batch) {
    sent.setRelease(sender.sent, batch);
    sender.sent = next(sender.sent);
  }

  /** Receiver: the next batch; null when there is none. */
  @Nullable Batch poll() {
    Batch batch = sent.getAcquire(receiver.sent);
    if (batch != null) {
      sent.setRelease(receiver.sent, null);
      receiver.sent = next(receiver.sent);
    }
    return batch;
  }

  /** Receiver: gives a batch back. */
  void giveBack(Batch batch) {
    batch.size = 0;
    free.setRelease(receiver.free, batch);
    receiver.free = next(receiver.free);
  }

  private static int next(int at) {
    return at + 1 & BATCHES - 1;
  }
}
