package io.streamforge.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class DrawingsTest {
  private static final Results RESULTS =
      new Results(
          List.of(
              new Row("W1", "streamforge", 2, "ab", List.of(160e6), Map.of()),
              new Row("W1", "flink", 2, "ab", List.of(50e6), Map.of()),
              new Row("W4", "flink", 2, "ab", List.of(79_000.0), Map.of()),
              new Row("M1-long", "jet", 2, "ab", List.of(1.0), Map.of("bytesPerKey", 119.4))));

  @Test
  void chartIsADrawingWithABarForEachSpeedAndItsLabel() throws Exception {
    String svg = Chart.of(RESULTS);

    Document document = parse(svg);
    assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
    // The panel, four in the legend, and three bars; memory is no speed.
    assertThat(document.getElementsByTagName("rect").getLength()).isEqualTo(8);
    assertThat(svg).contains(">160<", ">50<", ">0.08<");
  }

  @Test
  void speedOverTimeIsALineBeforeABandForEachCheckpoint() throws Exception {
    Timeline timeline =
        Timeline.parse(
            "sample 0.1 9e6\nrecordsPerSecond 7\ncheckpoint 0.05 0.15\nsample 0.2 3e6\n");

    Document document = parse(CheckpointChart.of("W7", timeline));

    // From 0 to 10 million, 240 high from 304 up; 0.2 seconds, 790 wide from 50 on.
    Element line = (Element) document.getElementsByTagName("polyline").item(0);
    assertThat(line.getAttribute("points")).isEqualTo("445.0,88.0 840.0,232.0");
    // The panel, two in the legend, and the band.
    assertThat(document.getElementsByTagName("rect").getLength()).isEqualTo(4);
    Element band = (Element) document.getElementsByTagName("rect").item(3);
    assertThat(band.getAttribute("x")).isEqualTo("247.5");
    assertThat(band.getAttribute("width")).isEqualTo("395.0");
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void reportShowsSpeedsRatiosAndWhatElseWasMeasured() {
    assertThat(Report.of(RESULTS))
        .contains("| W1 stateless chain | 2 | 160.0 | 50.0 | – | – | 3.20 | – | – |")
        .contains("| W4 sliding windows of 10 s by 100 ms, 1 k keys | 2 | – | 0.079 | – |")
        .contains("| M1-long | Jet | 119.4 | – |")
        .contains("| W1 | speed : better peer | ≥ 2.50 × | 3.20 × | met |");
  }
}
