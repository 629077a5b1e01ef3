package io.streamforge.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.streamforge.checkpoint.Manifest.Chain;
import io.streamforge.checkpoint.Manifest.Distribution;
import io.streamforge.checkpoint.Manifest.GroupRange;
import io.streamforge.checkpoint.Manifest.GroupTime;
import io.streamforge.checkpoint.Manifest.InFlightPart;
import io.streamforge.checkpoint.Manifest.NodePart;
import io.streamforge.checkpoint.Manifest.OperatorPart;
import io.streamforge.checkpoint.Manifest.Piece;
import io.streamforge.checkpoint.Manifest.SplitPart;
import io.streamforge.checkpoint.Manifest.StatePart;
import io.streamforge.checkpoint.Manifest.WriterPart;
import io.streamforge.serde.ByteReader;
import io.streamforge.serde.ByteWriter;
import io.streamforge.window.Window;
import java.util.List;
import org.junit.jupiter.api.Test;

class ManifestFormTest {
  private static Piece piece(String object, long offset) {
    return new Piece(object, new Segment(offset, 100));
  }

  private static Chain chain(int first, int end, Piece... pieces) {
    return new Chain(new GroupRange(first, end), List.of(pieces));
  }

  private static StatePart state(Chain... chains) {
    return new StatePart("count", null, Blob.of(), "memory", List.of(chains));
  }

  private static NodePart node(String name, StatePart... states) {
    return new NodePart(
        name, List.of(states), List.of(), List.of(), List.of(), List.of(), List.of());
  }

  /** C07: the groups 300 to 400 have no state. */
  private static Manifest everything() {
    StatePart counts =
        new StatePart(
            "count",
            null,
            Blob.of((byte) 1, (byte) 2),
            "memory",
            List.of(
                chain(0, 300, piece("data/1-2-0", 30), piece("data/1-3-0", 30)),
                new Chain(
                    new GroupRange(400, 1024),
                    List.of(piece("data/1-3-1", 5_000_000_000L)),
                    5_000_000_001L)));
    StatePart slice =
        new StatePart(
            "sum",
            new Window(-10, 20),
            Blob.of(),
            "memory",
            List.of(chain(1023, 1024, piece("data/1-3-1", 7))));
    NodePart window =
        new NodePart(
            "window",
            List.of(counts, slice),
            List.of(
                new GroupTime(new GroupRange(0, 512), Long.MIN_VALUE),
                new GroupTime(new GroupRange(512, 1024), 20)),
            List.of(),
            List.of(
                new OperatorPart("requests", 0, Distribution.SPLIT, piece("data/1-3-2", 1)),
                new OperatorPart("rules", 1, Distribution.BROADCAST, piece("data/1-3-2", 101))),
            List.of(new InFlightPart("lines", new GroupRange(2, 3), piece("data/1-3-3", 1))),
            List.of());
    NodePart source =
        new NodePart(
            "lines",
            List.of(),
            List.of(),
            List.of(
                new SplitPart("a.txt", 12, -5, false, true),
                new SplitPart("b.txt", Long.MAX_VALUE, Long.MIN_VALUE, true, false)),
            List.of(),
            List.of(),
            List.of());
    NodePart sink =
        new NodePart(
            "out",
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(
                new WriterPart("out-0", 2, List.of(Blob.of((byte) 9), Blob.of())),
                new WriterPart("out-1", 0, List.of())));
    return new Manifest(1024, 86_400_000, List.of(source, window, sink));
  }

  private static byte[] written(Manifest manifest) {
    ByteWriter writer = new ByteWriter();
    ManifestForm.write(manifest, writer);
    return writer.toByteArray();
  }

  @Test
  void aManifestComesBackAsItWas() {
    Manifest manifest = everything();

    assertThat(ManifestForm.read(new ByteReader(written(manifest)))).isEqualTo(manifest);
    assertThat(manifest.objects())
        .containsExactly("data/1-2-0", "data/1-3-0", "data/1-3-1", "data/1-3-2", "data/1-3-3");
    assertThat(manifest.entries()).as("of those chains that say it").isEqualTo(5_000_000_001L);
    assertThat(manifest.bytes()).isEqualTo(700);
  }

  @Test
  void aFieldOfALaterVersionIsPassedOverUnlessItIsEssential() {
    Manifest manifest = everything();
    byte[] bytes = written(manifest);
    ByteWriter optional = new ByteWriter();
    new FieldWriter(optional).optional(99, o -> o.writeString("later"));
    optional.writeBytes(bytes);
    ByteWriter essential = new ByteWriter();
    new FieldWriter(essential).essential(99, o -> o.writeString("later"));
    essential.writeBytes(bytes);

    assertThat(ManifestForm.read(new ByteReader(optional.toByteArray()))).isEqualTo(manifest);
    assertThatThrownBy(() -> ManifestForm.read(new ByteReader(essential.toByteArray())))
        .isInstanceOfSatisfying(
            FieldReader.UnknownFieldException.class, e -> assertThat(e.field).isEqualTo(99));
  }

  @Test
  void whatIsAddedBehindAPartIsPassedOver() {
    ByteWriter writer = new ByteWriter();
    new FieldWriter(writer)
        .essential(1, o -> o.writeVarInt(16))
        .essential(
            4,
            node -> {
              new FieldWriter(node)
                  .essential(1, o -> o.writeString("lines"))
                  .essential(
                      4,
                      o -> {
                        o.writeString("a.txt");
                        o.writeSignedVarLong(12);
                        o.writeLong(3);
                        o.writeBoolean(false);
                        o.writeBoolean(true);
                        o.writeString("of a later version");
                      })
                  .end();
            })
        .end();

    Manifest manifest = ManifestForm.read(new ByteReader(writer.toByteArray()));

    assertThat(manifest.nodes().get(0).splits())
        .containsExactly(new SplitPart("a.txt", 12, 3, false, true));
  }

  @Test
  void aManifestThatContradictsItselfIsNotMade() {
    Piece piece = piece("data/1-2-0", 1);

    assertThatThrownBy(
            () ->
                new Manifest(
                    16, 0, List.of(node("a", state(chain(0, 8, piece), chain(7, 9, piece))))))
        .hasMessageContaining("key groups of 'a' overlap");
    assertThatThrownBy(() -> new Manifest(8, 0, List.of(node("a", state(chain(0, 9, piece))))))
        .hasMessageContaining("key groups of 'a' overlap or are not in order");
    assertThatThrownBy(() -> new Manifest(8, 0, List.of(node("a"), node("a"))))
        .hasMessageContaining("node twice: a");
    assertThatThrownBy(() -> node("a", state(), state()))
        .hasMessageContaining("state of 'a' twice");
    assertThatThrownBy(() -> chain(0, 1)).hasMessageContaining("a chain needs a base");
    assertThatThrownBy(() -> new GroupRange(3, 3)).hasMessageContaining("no key groups");
    assertThatThrownBy(() -> new Manifest(0, 0, List.of())).hasMessageContaining("key groups: 0");
  }
}
