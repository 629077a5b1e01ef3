package io.streamforge.specialise;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The classes of one job's nodes. A class that many operators share sees all their functions at the
 * same call sites, which the JIT then cannot inline; a copy for each node sees one. The tasks of a
 * node share its copy. Copies are ordinary classes, defined from the same bytes by a loader that is
 * named after the node, which appears in stack traces as {@code enrich//MapOperator.process}; they
 * are gone when the job and all it has made are.
 *
 * <p>Thread-safe.
 */
public final class NodeClasses {
  private final boolean specialise;
  private final Map<String, NodeLoader> loaders = new ConcurrentHashMap<>();

  /**
   * For one job.
   *
   * @param specialise false: all nodes share the ordinary classes, for debugging
   */
  public NodeClasses(boolean specialise) {
    this.specialise = specialise;
  }

  /**
   * An instance of the node's copy of {@code type}, made by its public constructor without
   * parameters. Whatever specialised class the copy refers to is the node's copy as well.
   *
   * @param contract what the copy is used as; not specialised itself
   * @param type a class that is {@link Specialised}
   */
  public <T> T instance(String node, Class<T> contract, Class<? extends T> type) {
    try {
      Class<?> own = specialise ? loader(node).loadClass(type.getName()) : type;
      return contract.cast(own.getConstructor().newInstance());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          type.getName() + " cannot be made for node '" + node + "'", e);
    }
  }

  private NodeLoader loader(String node) {
    return loaders.computeIfAbsent(
        node, n -> new NodeLoader(n, NodeClasses.class.getClassLoader()));
  }
}
