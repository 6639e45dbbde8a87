// Console transcripts in Markdown: what a document shows is what the program does.
// In a ```console block a line "$ command" is run by the shell and the lines up to the next "$" are its
// exact output; "..." alone on a line stands for any lines; "# exit 2" after the command for its status.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace sextant::test {

using Lines = std::vector<std::string>;

struct Step {
  std::string command;
  int exit_status = 0;
  Lines expected;
  std::size_t output_line = 0;  // index in the document of the first line of output
};

Lines split_lines(const std::string& text);
std::string join_lines(const Lines& lines);

// Throws std::runtime_error for output without a command and for a block that does not end.
std::vector<Step> parse_transcript(const Lines& document);

bool matches(const Lines& expected, const Lines& actual);

// The document with the output of this step replaced.
Lines with_output(Lines document, const Step& step, const Lines& actual);

}  // namespace sextant::test
