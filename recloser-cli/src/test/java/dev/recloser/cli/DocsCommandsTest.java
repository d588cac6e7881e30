package dev.recloser.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The documents show what the commands print. */
final class DocsCommandsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern BLOCK =
      Pattern.compile(
          "```\n\\$ bin/recloser (?<command>(?:[^\n]*\\\\\n)*[^\n]*)\n(?<output>.*?)```",
          Pattern.DOTALL);

  /** A word, or something in single quotes. */
  private static final Pattern ARGUMENT =
      Pattern.compile("'(?<quoted>[^']*)'|(?<word>[^\\s'\\\\]+)");

  static Stream<Arguments> commands() throws IOException {
    String text = Files.readString(ROOT.resolve("docs/replay/logs.md"));
    return BLOCK.matcher(text).results().map(block -> Arguments.of(block.group(1), block.group(2)));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void a_command_prints_what_the_document_shows(String command, String output) {
    StringWriter printed = new StringWriter();
    PrintWriter writer = new PrintWriter(printed, true);
    Main.commandLine().setOut(writer).setErr(writer).execute(arguments(command));
    assertThat(printed.toString().replace(ROOT + "/", "")).isEqualTo(output);
  }

  private static String[] arguments(String command) {
    List<String> arguments = new ArrayList<>();
    Matcher matcher = ARGUMENT.matcher(command);
    while (matcher.find()) {
      String word = matcher.group("word");
      String argument = word == null ? matcher.group("quoted") : word;
      boolean file = Files.isRegularFile(ROOT.resolve(argument));
      arguments.add(file ? ROOT.resolve(argument).toString() : argument);
    }
    return arguments.toArray(String[]::new);
  }
}
