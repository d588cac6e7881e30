package dev.recloser.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class PropertiesSourceTest {
  @Test
  void an_entry_is_on_the_line_of_its_key() {
    Map<String, Value> entries =
        PropertiesSource.read(
                "breakers.properties",
                """
                # one
                a=1

                b : 2\\
                  , 3
                ! continued? \\
                c 4\\\\
                d=\\
                \\u0035
                e\\=f = 6\\
                """)
            .get(0)
            .entries();

    assertThat(entries)
        .containsExactly(
            entry(2, "a", "1"),
            entry(4, "b", "2, 3"),
            entry(7, "c", "4\\"),
            entry(8, "d", "5"),
            entry(10, "e=f", "6"));
  }

  @Test
  void lines_may_end_in_any_way() {
    assertThat(
            PropertiesSource.read("breakers.properties", "a=1\rb=2\r\nc=\\\r\n3").get(0).entries())
        .containsExactly(entry(1, "a", "1"), entry(2, "b", "2"), entry(3, "c", "3"));
  }

  @Test
  void a_comment_of_dashes_separates_documents() {
    assertThat(PropertiesSource.read("x.properties", "a=1\n#---\na=2\n!---\n# ---\nb=3\n"))
        .extracting(root -> root.entries().toString())
        .containsExactly(
            "{a=Scalar[place=x.properties:1, text=1, written=null]}",
            "{a=Scalar[place=x.properties:3, text=2, written=null]}",
            "{b=Scalar[place=x.properties:6, text=3, written=null]}");
  }

  private static Map.Entry<String, Value> entry(int line, String key, String text) {
    return Map.entry(key, new Value.Scalar(new Place("breakers.properties", line), text));
  }
}
