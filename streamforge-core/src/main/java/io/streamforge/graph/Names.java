package io.streamforge.graph;

import java.text.Normalizer;
import java.util.Collection;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What names may be, and what to suggest instead of others. */
public final class Names {
  /** How long a name may be. */
  public static final int MAX_LENGTH = 100;

  /** The rule, as a clause. */
  public static final String RULE =
      "names are ASCII letters, digits, '-', '_' and '.', begin with a letter or a digit, and have at"
          + " most "
          + MAX_LENGTH
          + " characters";

  private Names() {}

  /** Whether a topology, a node, a branch, a side output or a state may be called this. */
  public static boolean legal(String name) {
    return fault(name) == null;
  }

  /** What is wrong with a name, as a clause; null when nothing is. */
  static @Nullable String fault(String name) {
    if (name.isEmpty()) {
      return "it is empty";
    }
    if (name.length() > MAX_LENGTH) {
      return "it has " + name.length() + " characters";
    }
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (c == '/') {
        return "'/' is reserved for parts of nodes";
      }
      if (!inside(c)) {
        return "it contains "
            + (Character.isWhitespace(c)
                ? "white space"
                : "'" + name.substring(i, end(name, i)) + "'");
      }
    }
    return first(name.charAt(0)) ? null : "it begins with '" + name.charAt(0) + "'";
  }

  private static int end(String name, int i) {
    return name.offsetByCodePoints(i, 1);
  }

  private static boolean first(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  private static boolean inside(char c) {
    return first(c) || c == '-' || c == '_' || c == '.';
  }

  /**
   * A legal name that is not taken and as near as possible to this one.
   *
   * @param otherwise what to build on when nothing of the name can be kept
   */
  static String nearest(String name, String otherwise, Set<String> taken) {
    String plain = Normalizer.normalize(name, Normalizer.Form.NFD).replaceAll("\\p{M}", "");
    StringBuilder legal = new StringBuilder();
    for (int i = 0; i < plain.length(); i++) {
      char c = plain.charAt(i);
      if (inside(c)) {
        legal.append(c);
      } else if (legal.length() > 0 && legal.charAt(legal.length() - 1) != '-') {
        legal.append('-');
      }
    }
    int start = 0;
    while (start < legal.length() && !first(legal.charAt(start))) {
      start++;
    }
    String kept = legal.substring(start, Math.min(legal.length(), start + MAX_LENGTH));
    while (kept.endsWith("-") && !name.endsWith("-")) {
      kept = kept.substring(0, kept.length() - 1);
    }
    return free(kept.isEmpty() ? otherwise : kept, taken);
  }

  /** The name itself, or with the first number behind it that is not taken. */
  static String free(String name, Set<String> taken) {
    if (!taken.contains(name)) {
      return name;
    }
    for (int i = 2; ; i++) {
      String suffix = "-" + i;
      String candidate =
          name.substring(0, Math.min(name.length(), MAX_LENGTH - suffix.length())) + suffix;
      if (!taken.contains(candidate)) {
        return candidate;
      }
    }
  }

  /** The one of some names that this is probably a slip of; null when none is near. */
  static @Nullable String similar(String name, Collection<String> names) {
    String best = null;
    int bestDistance = Math.max(1, name.length() / 3) + 1;
    for (String candidate : names) {
      int distance = distance(name, candidate);
      if (distance < bestDistance) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return best;
  }

  /** Levenshtein's distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
