package io.streamforge.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

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

    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
    // The panel, four in the legend, and three bars; memory is no speed.
    assertThat(document.getElementsByTagName("rect").getLength()).isEqualTo(8);
    assertThat(svg).contains(">160<", ">50<", ">0.08<");
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
