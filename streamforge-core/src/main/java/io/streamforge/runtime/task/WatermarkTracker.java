package io.streamforge.runtime.task;

import io.streamforge.record.Timestamps;
import java.util.Arrays;

/**
 * Event time of something with several inputs: the minimum over the active ones, never going back.
 * An input that is idle or has ended holds nothing back. When no input is active the event time is
 * the maximum of the last watermarks of the idle ones, whatever the order in which they went idle;
 * when all have ended it is {@link Timestamps#MAX}. An input that resumes behind is active again:
 * it holds, it never pulls back.
 */
public final class WatermarkTracker {
  private enum State {
    ACTIVE,
    IDLE,
    ENDED
  }

  private long[] watermarks = {};
  private State[] states = {};
  private int count;
  private long current = Timestamps.MIN;

  /** A tracker without inputs, which counts as idle. */
  public WatermarkTracker() {}

  /** A tracker of this many active inputs that have said nothing. */
  public WatermarkTracker(int inputs) {
    for (int i = 0; i < inputs; i++) {
      add();
    }
  }

  /** Adds an active input; its index is the number of those before it. */
  public int add() {
    if (count == watermarks.length) {
      watermarks = Arrays.copyOf(watermarks, Math.max(4, count * 2));
      states = Arrays.copyOf(states, watermarks.length);
    }
    watermarks[count] = Timestamps.MIN;
    states[count] = State.ACTIVE;
    return count++;
  }

  /** The input is active and promises this; a smaller promise than before changes nothing. */
  public void advance(int input, long watermark) {
    if (states[input] != State.ENDED) {
      states[input] = State.ACTIVE;
      watermarks[input] = Math.max(watermarks[input], watermark);
    }
  }

  /** The input is active again. */
  public void activate(int input) {
    advance(input, Timestamps.MIN);
  }

  /** The input is idle until it advances or is activated. */
  public void idle(int input) {
    if (states[input] != State.ENDED) {
      states[input] = State.IDLE;
    }
  }

  /** The input has ended. */
  public void end(int input) {
    states[input] = State.ENDED;
  }

  /** Whether the input is idle. */
  public boolean isIdle(int input) {
    return states[input] == State.IDLE;
  }

  /** Whether the input has ended. */
  public boolean isEnded(int input) {
    return states[input] == State.ENDED;
  }

  /** What the input has promised last. */
  public long watermark(int input) {
    return watermarks[input];
  }

  /** Number of inputs. */
  public int count() {
    return count;
  }

  /** Whether no input is active, but not all have ended. */
  public boolean isIdle() {
    boolean anyIdle = count == 0;
    for (int i = 0; i < count; i++) {
      if (states[i] == State.ACTIVE) {
        return false;
      }
      anyIdle |= states[i] == State.IDLE;
    }
    return anyIdle;
  }

  /** Whether all inputs have ended; false without inputs. */
  public boolean allEnded() {
    for (int i = 0; i < count; i++) {
      if (states[i] != State.ENDED) {
        return false;
      }
    }
    return count > 0;
  }

  /** The event time, computed anew; never smaller than it was. */
  public long current() {
    long active = Timestamps.MAX;
    long idle = Timestamps.MIN;
    boolean anyActive = false;
    boolean anyIdle = false;
    for (int i = 0; i < count; i++) {
      if (states[i] == State.ACTIVE) {
        anyActive = true;
        active = Math.min(active, watermarks[i]);
      } else if (states[i] == State.IDLE) {
        anyIdle = true;
        idle = Math.max(idle, watermarks[i]);
      }
    }
    long now = anyActive ? active : anyIdle ? idle : count > 0 ? Timestamps.MAX : Timestamps.MIN;
    current = Math.max(current, now);
    return current;
  }

  /** The active input that holds event time back; −1 when none does. */
  public int holder() {
    int holder = -1;
    for (int i = 0; i < count; i++) {
      if (states[i] == State.ACTIVE && (holder < 0 || watermarks[i] < watermarks[holder])) {
        holder = i;
      }
    }
    return holder;
  }
}
