package io.streamforge.checkpoint;

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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The binary form of a {@link Manifest}. Names of objects are written once and then numbered. */
final class ManifestForm {
  // Fields of a manifest.
  private static final int GROUPS = 1;
  private static final int JOB_TIME = 2;
  private static final int OBJECT = 3;
  private static final int NODE = 4;

  // Fields of a node.
  private static final int NAME = 1;
  private static final int STATE = 2;
  private static final int TIME = 3;
  private static final int SPLIT = 4;
  private static final int OPERATOR = 5;
  private static final int IN_FLIGHT = 6;
  private static final int WRITER = 7;

  // Fields of a state.
  private static final int STATE_NAME = 1;
  private static final int SLICE = 2;
  private static final int SCHEMA = 3;
  private static final int FORM = 4;
  private static final int CHAIN = 5;

  /** Of all chains, in their order: one more than there are; 0: not noted. */
  private static final int ENTRIES = 6;

  private ManifestForm() {}

  static void write(Manifest manifest, ByteWriter output) {
    Map<String, Integer> objects = new LinkedHashMap<>();
    for (String object : manifest.objects()) {
      objects.put(object, objects.size());
    }
    FieldWriter fields = new FieldWriter(output);
    fields.essential(GROUPS, o -> o.writeVarInt(manifest.groups()));
    fields.essential(JOB_TIME, o -> o.writeSignedVarLong(manifest.jobTimeMillis()));
    objects.keySet().forEach(object -> fields.essential(OBJECT, o -> o.writeString(object)));
    Writer writer = new Writer(objects);
    manifest.nodes().forEach(node -> fields.essential(NODE, o -> writer.node(node, o)));
    fields.end();
  }

  static Manifest read(ByteReader input) {
    FieldReader fields = new FieldReader(input);
    int groups = 0;
    long jobTime = 0;
    Reader reader = new Reader();
    List<NodePart> nodes = new ArrayList<>();
    int field;
    while ((field = fields.next()) != 0) {
      switch (field) {
        case GROUPS -> groups = fields.content().readVarInt();
        case JOB_TIME -> jobTime = fields.content().readSignedVarLong();
        case OBJECT -> reader.objects.add(fields.content().readString());
        case NODE -> nodes.add(reader.node(fields.content()));
        default -> fields.unknown();
      }
    }
    return new Manifest(groups, jobTime, nodes);
  }

  private record Writer(Map<String, Integer> objects) {
    void node(NodePart node, ByteWriter output) {
      FieldWriter fields = new FieldWriter(output);
      fields.essential(NAME, o -> o.writeString(node.node()));
      node.states().forEach(part -> fields.essential(STATE, o -> state(part, o)));
      node.times()
          .forEach(
              part ->
                  fields.essential(
                      TIME,
                      o -> {
                        range(part.groups(), o);
                        o.writeLong(part.firedUpToMillis());
                      }));
      node.splits()
          .forEach(
              part ->
                  fields.essential(
                      SPLIT,
                      o -> {
                        o.writeString(part.id());
                        o.writeSignedVarLong(part.position());
                        o.writeLong(part.watermarkMillis());
                        o.writeBoolean(part.idle());
                        o.writeBoolean(part.finished());
                      }));
      node.operators()
          .forEach(
              part ->
                  fields.essential(
                      OPERATOR,
                      o -> {
                        o.writeString(part.name());
                        o.writeVarInt(part.task());
                        o.writeByte(part.distribution() == Distribution.SPLIT ? 0 : 1);
                        piece(part.piece(), o);
                      }));
      node.inFlight()
          .forEach(
              part ->
                  fields.essential(
                      IN_FLIGHT,
                      o -> {
                        o.writeString(part.from());
                        range(part.groups(), o);
                        piece(part.piece(), o);
                      }));
      node.writers()
          .forEach(
              part ->
                  fields.essential(
                      WRITER,
                      o -> {
                        o.writeString(part.writer());
                        o.writeVarLong(part.marker());
                        o.writeVarInt(part.committables().size());
                        part.committables().forEach(blob -> blob(blob, o));
                      }));
      fields.end();
    }

    private void state(StatePart state, ByteWriter output) {
      FieldWriter fields = new FieldWriter(output);
      fields.essential(STATE_NAME, o -> o.writeString(state.state()));
      Window slice = state.slice();
      if (slice != null) {
        fields.essential(
            SLICE,
            o -> {
              o.writeLong(slice.startMillis());
              o.writeLong(slice.endMillis());
            });
      }
      fields.essential(SCHEMA, o -> blob(state.schema(), o));
      fields.essential(FORM, o -> o.writeString(state.form()));
      state
          .chains()
          .forEach(
              chain ->
                  fields.essential(
                      CHAIN,
                      o -> {
                        range(chain.groups(), o);
                        o.writeVarInt(chain.pieces().size());
                        chain.pieces().forEach(piece -> piece(piece, o));
                      }));
      if (state.chains().stream().anyMatch(chain -> chain.entries() != Chain.UNKNOWN)) {
        fields.optional(
            ENTRIES, o -> state.chains().forEach(chain -> o.writeVarLong(chain.entries() + 1)));
      }
      fields.end();
    }

    private static void range(GroupRange range, ByteWriter output) {
      output.writeVarInt(range.first());
      output.writeVarInt(range.end());
    }

    private static void blob(Blob blob, ByteWriter output) {
      output.writeVarInt(blob.size());
      output.writeBytes(blob.bytes());
    }

    private void piece(Piece piece, ByteWriter output) {
      Integer object = objects.get(piece.object());
      if (object == null) {
        throw new IllegalStateException("an object that the manifest does not list: " + piece);
      }
      output.writeVarInt(object);
      output.writeVarLong(piece.segment().offset());
      output.writeVarLong(piece.segment().length());
    }
  }

  private static final class Reader {
    private final List<String> objects = new ArrayList<>();

    NodePart node(ByteReader input) {
      FieldReader fields = new FieldReader(input);
      String name = "";
      List<StatePart> states = new ArrayList<>();
      List<GroupTime> times = new ArrayList<>();
      List<SplitPart> splits = new ArrayList<>();
      List<OperatorPart> operators = new ArrayList<>();
      List<InFlightPart> inFlight = new ArrayList<>();
      List<WriterPart> writers = new ArrayList<>();
      int field;
      while ((field = fields.next()) != 0) {
        switch (field) {
          case NAME -> name = fields.content().readString();
          case STATE -> states.add(state(fields.content()));
          case TIME -> {
            ByteReader in = fields.content();
            times.add(new GroupTime(range(in), in.readLong()));
          }
          case SPLIT -> {
            ByteReader in = fields.content();
            splits.add(
                new SplitPart(
                    in.readString(),
                    in.readSignedVarLong(),
                    in.readLong(),
                    in.readBoolean(),
                    in.readBoolean()));
          }
          case OPERATOR -> {
            ByteReader in = fields.content();
            operators.add(
                new OperatorPart(
                    in.readString(),
                    in.readVarInt(),
                    in.readBoolean() ? Distribution.BROADCAST : Distribution.SPLIT,
                    piece(in)));
          }
          case IN_FLIGHT -> {
            ByteReader in = fields.content();
            inFlight.add(new InFlightPart(in.readString(), range(in), piece(in)));
          }
          case WRITER -> writers.add(writer(fields.content()));
          default -> fields.unknown();
        }
      }
      return new NodePart(name, states, times, splits, operators, inFlight, writers);
    }

    private StatePart state(ByteReader input) {
      FieldReader fields = new FieldReader(input);
      String name = "";
      @Nullable Window slice = null;
      Blob schema = Blob.of();
      String form = "";
      List<Chain> chains = new ArrayList<>();
      int field;
      while ((field = fields.next()) != 0) {
        switch (field) {
          case STATE_NAME -> name = fields.content().readString();
          case SLICE -> {
            ByteReader in = fields.content();
            slice = new Window(in.readLong(), in.readLong());
          }
          case SCHEMA -> schema = blob(fields.content());
          case FORM -> form = fields.content().readString();
          case CHAIN -> {
            ByteReader in = fields.content();
            GroupRange range = range(in);
            int count = in.readCount();
            List<Piece> pieces = new ArrayList<>();
            for (int i = 0; i < count; i++) {
              pieces.add(piece(in));
            }
            chains.add(new Chain(range, pieces));
          }
          case ENTRIES -> {
            ByteReader in = fields.content();
            chains.replaceAll(
                chain -> new Chain(chain.groups(), chain.pieces(), in.readVarLong() - 1));
          }
          default -> fields.unknown();
        }
      }
      return new StatePart(name, slice, schema, form, chains);
    }

    private static WriterPart writer(ByteReader input) {
      String name = input.readString();
      long marker = input.readVarLong();
      int count = input.readCount();
      List<Blob> committables = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        committables.add(blob(input));
      }
      return new WriterPart(name, marker, committables);
    }

    private static GroupRange range(ByteReader input) {
      return new GroupRange(input.readVarInt(), input.readVarInt());
    }

    private static Blob blob(ByteReader input) {
      int size = input.readCount();
      return Blob.of(input.readBytes(size));
    }

    private Piece piece(ByteReader input) {
      int object = input.readVarInt();
      if (object < 0 || object >= objects.size()) {
        throw new IllegalArgumentException("no object " + object);
      }
      return new Piece(objects.get(object), new Segment(input.readVarLong(), input.readVarLong()));
    }
  }
}
