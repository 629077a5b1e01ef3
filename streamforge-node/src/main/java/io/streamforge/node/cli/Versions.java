package io.streamforge.node.cli;

import io.streamforge.Topology;
import picocli.CommandLine.IVersionProvider;

/** The versions of StreamForge and of the JVM. */
final class Versions implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Topology.class.getPackage().getImplementationVersion();
    return new String[] {
      "streamforge " + (version == null ? "development build" : version),
      "java " + Runtime.version()
    };
  }
}
