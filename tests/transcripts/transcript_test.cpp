#include "transcript.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace sextant::test {
namespace {

TEST(Transcript, CommandsAndTheirOutputAreReadFromConsoleBlocksOnly) {
  const auto steps = parse_transcript({"# Title", "```sh", "$ ignored", "```", "```console", "$ one", "a",
                                       "b", "$ two --bad  # exit 2", "```", "end"});
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].command, "one");
  EXPECT_EQ(steps[0].expected, (Lines{"a", "b"}));
  EXPECT_EQ(steps[0].exit_status, 0);
  EXPECT_EQ(steps[0].output_line, 6u);
  EXPECT_EQ(steps[1].exit_status, 2);
  EXPECT_TRUE(steps[1].expected.empty());
}

TEST(Transcript, CommandGoesOnAfterABackslash) {
  const auto steps = parse_transcript({"```console", "$ one \\", "    --two", "out", "```"});
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].command, "one \\\n    --two");
  EXPECT_EQ(steps[0].expected, Lines{"out"});
}

TEST(Transcript, MalformedBlocksAreErrors) {
  EXPECT_THROW(parse_transcript({"```console", "output", "```"}), std::runtime_error);
  EXPECT_THROW(parse_transcript({"```console", "$ command"}), std::runtime_error);
}

TEST(Transcript, OutputMustBeEqual) {
  EXPECT_TRUE(matches({"a", "b"}, {"a", "b"}));
  EXPECT_FALSE(matches({"a", "b"}, {"a"}));
  EXPECT_FALSE(matches({"a"}, {"a", "b"}));
  EXPECT_FALSE(matches({"a"}, {"a "}));
  EXPECT_FALSE(matches({}, {"a"}));
}

TEST(Transcript, DotsStandForAnyLines) {
  EXPECT_TRUE(matches({"...", "c"}, {"a", "b", "c"}));
  EXPECT_TRUE(matches({"a", "..."}, {"a"}));
  EXPECT_TRUE(matches({"a", "...", "c", "...", "e"}, {"a", "c", "b", "c", "d", "e"}));
  EXPECT_FALSE(matches({"a", "...", "c"}, {"a", "c", "d"}));
  EXPECT_FALSE(matches({"...", "x"}, {"a", "b"}));
}

TEST(Transcript, UpdateReplacesTheOutputAlone) {
  const Lines document = {"```console", "$ one", "old", "older", "```"};
  const auto step = parse_transcript(document).front();
  EXPECT_EQ(with_output(document, step, {"new"}), (Lines{"```console", "$ one", "new", "```"}));
}

}  // namespace
}  // namespace sextant::test
