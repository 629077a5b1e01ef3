package io.streamforge.connector.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file as it is; goes on when the file has grown. */
final class PlainFeed implements ByteFeed {
  private final SeekableByteChannel channel;
  private final boolean follow;

  PlainFeed(Path file, long position, boolean follow) throws IOException {
    this.channel = Files.newByteChannel(file);
    this.follow = follow;
    // A pipe has no positions.
    if (position > 0) {
      channel.position(position);
    }
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    int count = channel.read(ByteBuffer.wrap(into, offset, length));
    if (count < 0 && follow && channel.size() < channel.position()) {
      throw new IOException(
          "it has been cut to " + channel.size() + " bytes, of which more had been read already");
    }
    return count;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
