package io.streamforge.formats.json;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/** The mapper that is used where none is given. */
final class JsonMappers {
  private JsonMappers() {}

  /** How long a text may be is for the source to say, which knows file and line. */
  static final JsonMapper DEFAULT =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
                  .build())
          .build();
}
