// What every result promises to people at a terminal: no line is wider than it, and what the answer is about
// is never left out.
#include <gmock/gmock.h>

#include "result_commands.h"
#include "sextant/report/text_wrap.h"

namespace sextant::cli::test {
namespace {

using testing::HasSubstr;

constexpr int kWidths[] = {80, 100, 120};

class ScreenContract : public CliFixture, public testing::WithParamInterface<const char*> {};

bool writes_csv(std::string_view command) {
  return command.find("--cases") != std::string_view::npos;
}

bool one_word(const std::string& line) {
  return trim(line).find(' ') == std::string_view::npos;
}

TEST_P(ScreenContract, NoLineIsWiderThanTheTerminal) {
  if (writes_csv(GetParam())) GTEST_SKIP() << "files are as wide as their columns";
  for (const int width : kWidths) {
    const Outcome outcome = outcome_of(GetParam(), {}, {.width = width});
    for (const std::string& text : {outcome.out, outcome.err}) {
      for (const std::string& line : split(text, '\n')) {
        // A path or a command that is longer stays whole, to be copied.
        EXPECT_TRUE(report::display_width(line) <= static_cast<std::size_t>(width) || one_word(line))
            << width << ": " << line;
        EXPECT_FALSE(line.ends_with("…")) << width << ": " << line;
      }
    }
    std::filesystem::remove_all("study.sqlite");
  }
}

// Titles of the essential columns of what is shown.
std::vector<std::string> essential_titles(const report::Result& result) {
  std::vector<std::string> titles;
  const auto add = [&](const report::Table& table) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (table.columns[c].importance == report::Importance::essential && for_people(table, c))
        titles.push_back(table.columns[c].title);
    }
  };
  if (result.sections.empty()) add(result.facts);
  for (const report::Section& section : result.sections) {
    if (section.shown) add(section.table);
  }
  return titles;
}

TEST_P(ScreenContract, EssentialColumnsAreThere) {
  if (writes_csv(GetParam())) GTEST_SKIP() << "files have all columns";
  std::vector<std::string> titles;
  (void)outcome_of(GetParam(), {},
                   {.take = [&](const report::Result& result) { titles = essential_titles(result); }});
  std::filesystem::remove_all("study.sqlite");
  const std::string shown = outcome_of(GetParam(), {}, {.width = 80}).out;
  for (const std::string& title : titles) {
    for (const std::string& word : split(title, ' ')) EXPECT_THAT(shown, HasSubstr(word)) << title;
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, ScreenContract, testing::ValuesIn(kCommandsWithResults));

struct WhatMatters {
  const char* command;
  std::vector<const char*> titles;
};

class NarrowScreen : public CliFixture, public testing::WithParamInterface<WhatMatters> {};

// Of the first line of the table; titles may go on in the next.
TEST_P(NarrowScreen, ShowsWhatTheCommandIsAskedFor) {
  std::vector<std::string> essential;
  (void)outcome_of(GetParam().command, {},
                   {.take = [&](const report::Result& result) { essential = essential_titles(result); }});
  for (const char* title : GetParam().titles) EXPECT_THAT(essential, testing::Contains(title));
}

INSTANTIATE_TEST_SUITE_P(
    Commands, NarrowScreen,
    testing::Values(
        WhatMatters{
            "predict resnet50 --machine aws/p3.16xlarge --nodes 2 --strategy data --epochs 2 --samples 1000",
            {"step", "fits", "total time", "total cost"}},
        WhatMatters{"advise resnet18 --samples 1000 --machine aws/p3.2xlarge --count 1,2",
                    {"machine", "machines", "strategy", "time", "cost"}},
        WhatMatters{"scale resnet18 --machine aws/p3.2xlarge --samples 1000 --most 2",
                    {"samples", "time", "cost"}},
        WhatMatters{"simulate --generate philly:jobs=20 --cluster v100=4 --policy fifo",
                    {"policy", "mean JCT", "makespan"}},
        WhatMatters{"collective --system a100-dgx --gpus 2 --bytes 1MiB", {"time", "size"}},
        WhatMatters{"list machines", {"machine", "GPUs", "from"}},
        WhatMatters{"net summary resnet18", {"name", "type", "parameters", "MACs"}}));

TEST_F(CliFixture, WarningsAndErrorsAreWrappedAtTheTerminal) {
  const Outcome outcome =
      sextant_run({"predict", "resnet50", "--gpu", "a-name-that-no-graphics-processor-has", "--batch", "32"},
                  {.width = 40});
  EXPECT_EQ(outcome.code, kBadInput);
  EXPECT_GT(std::ranges::count(outcome.err, '\n'), 1);
  for (const std::string& line : split(outcome.err, '\n'))
    EXPECT_LE(report::display_width(line), 44U) << line;
}

TEST_F(CliFixture, WideAndColumnsKeepWhatANarrowTerminalLeavesOut) {
  const std::vector<std::string> list = {"list", "machines"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), list.begin(), list.end());
    return sextant_run(more, {.width = 50}).out;
  };
  EXPECT_THAT(with({}), HasSubstr("Not shown at this width:"));
  EXPECT_THAT(with({"--wide"}), testing::Not(HasSubstr("Not shown at this width:")));
  EXPECT_THAT(with({"--columns", "machine,vcpus"}), testing::StartsWith("machine"));
  EXPECT_THAT(with({"--columns", "machine,vcpus"}), testing::Not(HasSubstr("Not shown at this width:")));
}

}  // namespace
}  // namespace sextant::cli::test
