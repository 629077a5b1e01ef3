package io.streamforge.testkit.storage;

/**
 * How often calls of a {@link SimulatedStorage} go wrong: probabilities from 0 to 1, for each call.
 *
 * @param failure it fails and has no effect
 * @param lostReply it fails, and has its effect
 * @param late it fails, and has its effect at some later time, perhaps after a retry
 * @param repeated it is sent twice and the second reply is returned: a creation is told that the
 *     name is taken
 * @param delay it takes long: the clock goes on before it returns
 */
public record StorageFaults(
    double failure, double lostReply, double late, double repeated, double delay) {
  /** Nothing goes wrong. */
  public static final StorageFaults NONE = new StorageFaults(0, 0, 0, 0, 0);

  /** One call in about ten goes wrong, in some way. */
  public static final StorageFaults SOME = new StorageFaults(0.03, 0.03, 0.02, 0.03, 0.02);
}
