package io.streamforge.node.state;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A key as a user writes it: as JSON, or as it is where it is shown as text. */
public final class KeyMatcher {
  private final String text;
  private final @Nullable String json;

  /** The key that is written so. */
  public KeyMatcher(String text) {
    this.text = text;
    String parsed;
    try {
      parsed = JsonMapper.shared().readTree(text).toString();
    } catch (JacksonException e) {
      parsed = null;
    }
    this.json = parsed;
  }

  boolean matches(JsonNode key) {
    return (key.isString() && key.stringValue().equals(text)) || key.toString().equals(json);
  }
}
