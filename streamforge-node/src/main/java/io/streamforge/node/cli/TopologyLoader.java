package io.streamforge.node.cli;

import io.streamforge.Topology;
import io.streamforge.error.StreamForgeException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** Finds the topology method of a class or jar and calls it. */
final class TopologyLoader {
  private static final String ATTRIBUTE = "StreamForge-Topology";
  private static final String SIGNATURE = "public static Topology topology(String[] args)";

  private TopologyLoader() {}

  static Topology load(String target, List<Path> classPath, List<String> arguments)
      throws UsageException {
    List<URL> urls = new ArrayList<>();
    String className = target;
    if (target.endsWith(".jar")) {
      Path jar = Path.of(target);
      className = classOf(jar);
      urls.add(url(jar));
    }
    ClassLoader loader = loader(urls, classPath);
    Thread.currentThread().setContextClassLoader(loader);
    return call(method(className, target, loader), arguments);
  }

  /** Knows the classes of StreamForge itself and those of a class path. */
  static ClassLoader loader(List<Path> classPath) throws UsageException {
    return classPath.isEmpty()
        ? TopologyLoader.class.getClassLoader()
        : loader(new ArrayList<>(), classPath);
  }

  private static ClassLoader loader(List<URL> urls, List<Path> classPath) throws UsageException {
    for (Path entry : classPath) {
      addEntry(urls, entry);
    }
    // Lives as long as the job, which is as long as the process.
    return new URLClassLoader(
        "job", urls.toArray(new URL[0]), TopologyLoader.class.getClassLoader());
  }

  private static String classOf(Path jar) throws UsageException {
    if (!Files.isReadable(jar)) {
      throw new UsageException("there is no readable jar '" + jar + "'");
    }
    try (JarFile file = new JarFile(jar.toFile())) {
      Manifest manifest = file.getManifest();
      Attributes main = manifest == null ? new Attributes() : manifest.getMainAttributes();
      String name = main.getValue(ATTRIBUTE);
      if (name == null) {
        name = main.getValue(Attributes.Name.MAIN_CLASS);
      }
      if (name == null) {
        throw new UsageException(
            "the manifest of '"
                + jar
                + "' names no class; add the attribute "
                + ATTRIBUTE
                + " with the class that has '"
                + SIGNATURE
                + "'");
      }
      return name.trim();
    } catch (IOException e) {
      throw new UsageException("'" + jar + "' cannot be read as a jar: " + e.getMessage(), e);
    }
  }

  /** As the JVM does, {@code dir/*} stands for all jars in a directory. */
  private static void addEntry(List<URL> urls, Path entry) throws UsageException {
    Path name = entry.getFileName();
    Path directory = entry.getParent();
    if (name == null || !name.toString().equals("*")) {
      if (!Files.exists(entry)) {
        throw new UsageException("the class path entry '" + entry + "' does not exist");
      }
      urls.add(url(entry));
      return;
    }
    try (DirectoryStream<Path> jars =
        Files.newDirectoryStream(directory == null ? Path.of("") : directory, "*.jar")) {
      for (Path jar : jars) {
        urls.add(url(jar));
      }
    } catch (IOException e) {
      throw new UsageException("the class path entry '" + entry + "' cannot be read", e);
    }
  }

  private static URL url(Path path) throws UsageException {
    try {
      return path.toUri().toURL();
    } catch (MalformedURLException e) {
      throw new UsageException("'" + path + "' is not a path that can be loaded from", e);
    }
  }

  private static Method method(String className, String target, ClassLoader loader)
      throws UsageException {
    Class<?> type;
    try {
      type = Class.forName(className, true, loader);
    } catch (ClassNotFoundException e) {
      throw new UsageException(
          "there is no class '"
              + className
              + "'"
              + (className.equals(target)
                  ? "; give its full name, and --class-path where it is"
                  : " in '" + target + "', although the manifest names it"),
          e);
    } catch (LinkageError e) {
      throw new UsageException("the class '" + className + "' cannot be loaded: " + e, e);
    }
    try {
      Method method = type.getMethod("topology", String[].class);
      if (Modifier.isStatic(method.getModifiers())
          && Topology.class.isAssignableFrom(method.getReturnType())) {
        return method;
      }
    } catch (NoSuchMethodException e) {
      // Reported like a method of the wrong kind.
    }
    throw new UsageException("class '" + className + "' has no '" + SIGNATURE + "'");
  }

  private static Topology call(Method method, List<String> arguments) throws UsageException {
    Topology topology;
    try {
      method.setAccessible(true);
      topology = (Topology) method.invoke(null, (Object) arguments.toArray(new String[0]));
    } catch (InvocationTargetException e) {
      Throwable cause = e.getCause();
      if (cause instanceof StreamForgeException known) {
        throw known;
      }
      if (cause != null
          && cause.getClass() == IllegalArgumentException.class
          && cause.getMessage() != null) {
        throw new UsageException(cause.getMessage(), cause);
      }
      throw new UsageException(method.getDeclaringClass().getName() + ".topology: " + cause, cause);
    } catch (IllegalAccessException | RuntimeException e) {
      throw new UsageException(
          "class '" + method.getDeclaringClass().getName() + "' cannot be called: " + e, e);
    }
    if (topology == null) {
      throw new UsageException(
          method.getDeclaringClass().getName() + ".topology returned null instead of a topology");
    }
    return topology;
  }
}
