package io.streamforge.specialise;

import java.io.IOException;
import java.io.InputStream;

/**
 * Defines specialised classes anew and leaves all others to its parent.
 *
 * <p>Not hidden classes: those break lambdas that capture {@code this}, private nested classes and
 * methods that name their own type, and are left out of stack traces.
 */
final class NodeLoader extends ClassLoader {
  static {
    registerAsParallelCapable();
  }

  NodeLoader(String node, ClassLoader parent) {
    super(node, parent);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith("io.streamforge.")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      if (known != null) {
        return known;
      }
      Class<?> shared = super.loadClass(name, resolve);
      return isSpecialised(shared) ? define(shared) : shared;
    }
  }

  private static boolean isSpecialised(Class<?> shared) {
    Class<?> outermost = shared;
    for (Class<?> outer; (outer = outermost.getEnclosingClass()) != null; ) {
      outermost = outer;
    }
    return outermost.isAnnotationPresent(Specialised.class);
  }

  private Class<?> define(Class<?> shared) throws ClassNotFoundException {
    String name = shared.getName();
    String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
    try (InputStream in = shared.getResourceAsStream(file)) {
      if (in == null) {
        throw new ClassNotFoundException(name + ": its bytes are not there");
      }
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length, shared.getProtectionDomain());
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
