package io.streamforge.runtime.task;

import io.streamforge.scheduler.Waker;
import java.lang.invoke.VarHandle;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * What other threads have for a task, run by the task between two steps, in the order of arrival
 * from each sender. The protocols that use it bound its length: each has at most one letter under
 * way.
 */
public final class Mailbox {
  private final MessagePassingQueue<Runnable> letters = new MpscUnboundedAtomicArrayQueue<>(64);
  private Waker owner = () -> {};

  /** Who is woken by a letter; before the first use. */
  public void connect(Waker owner) {
    this.owner = owner;
  }

  /** Any thread: leaves work for the task and wakes it. */
  public void send(Runnable letter) {
    letters.offer(letter);
    VarHandle.fullFence();
    owner.wake();
  }

  /** Owner: runs what has arrived; whether there was anything. */
  public boolean drain() {
    boolean any = false;
    for (@Nullable Runnable letter; (letter = letters.poll()) != null; any = true) {
      letter.run();
    }
    return any;
  }
}
