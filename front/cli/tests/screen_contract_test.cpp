// What every result promises to people at a terminal: no line is wider than it, what the answer is about is
// never left out, rows can be told apart, and what is explained is there.
#include <gmock/gmock.h>

#include <set>
#include <sstream>

#include "result_commands.h"
#include "sextant/report/render.h"
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

// The tables that the command shows.
std::vector<report::Table> tables_of(const char* command) {
  std::vector<report::Table> tables;
  (void)outcome_of(command, {}, {.take = [&](const report::Result& result) {
                     tables.clear();
                     if (result.sections.empty()) tables.push_back(result.facts);
                     for (const report::Section& section : result.sections) {
                       if (section.shown) tables.push_back(section.table);
                     }
                   }});
  std::filesystem::remove_all("study.sqlite");
  return tables;
}

constexpr std::string_view kNotShown = "Not shown at this width: ";

// The lines of a table at that width; a line that goes on is one.
std::vector<std::string> lines_at(const report::Table& table, int width) {
  std::ostringstream out;
  render_screen(out, table, {.color = false, .width = width});
  std::vector<std::string> lines;
  bool below = false;  // in what is wrapped
  for (const std::string& line : split(out.str(), '\n')) {
    below |= line.starts_with(kNotShown);
    if (below && line.starts_with("  "))
      lines.back() += line.substr(1);
    else
      lines.push_back(line);
  }
  return lines;
}

std::vector<std::string> left_out(const report::Table& table, int width) {
  for (const std::string& line : lines_at(table, width)) {
    if (!line.starts_with(kNotShown)) continue;
    std::vector<std::string> titles;
    for (const std::string& title :
         split(line.substr(kNotShown.size(), line.size() - kNotShown.size() - 1), ','))
      titles.emplace_back(trim(title));
    return titles;
  }
  return {};
}

// Titles of the columns that have to be there.
std::vector<std::string> essential_titles(const report::Table& table) {
  std::vector<std::string> titles;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].importance <= report::Importance::essential && for_people(table, c))
      titles.push_back(table.columns[c].title);
  }
  return titles;
}

TEST_P(ScreenContract, EssentialColumnsAreThere) {
  if (writes_csv(GetParam())) GTEST_SKIP() << "files have all columns";
  const std::vector<report::Table> tables = tables_of(GetParam());
  const std::string shown = outcome_of(GetParam(), {}, {.width = 80}).out;
  for (const report::Table& table : tables) {
    for (const std::string& title : essential_titles(table)) {
      for (const std::string& word : split(title, ' ')) EXPECT_THAT(shown, HasSubstr(word)) << title;
      EXPECT_THAT(left_out(table, 80), testing::Not(testing::Contains(title)));
    }
  }
}

// As above, what identifies a row is never left out: no two rows look the same, then. A table without details
// never loses a column, and may be a course in time.
TEST_P(ScreenContract, RowsAreToldApartByWhatIdentifiesThem) {
  if (writes_csv(GetParam())) GTEST_SKIP() << "files have all columns";
  for (const report::Table& table : tables_of(GetParam())) {
    std::vector<std::size_t> shown;
    bool details = false;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (!for_people(table, c)) continue;
      shown.push_back(c);
      details |= table.columns[c].importance == report::Importance::usual;
    }
    if (!details) continue;
    std::set<std::vector<std::string>> seen;
    for (const auto& row : table.rows) {
      std::vector<std::string> identity;
      for (const std::size_t c : shown) {
        if (table.columns[c].importance == report::Importance::identity) identity.push_back(row[c].shown);
      }
      EXPECT_TRUE(seen.insert(identity).second) << testing::PrintToString(identity);
    }
  }
}

// A note that explains a column or a mark stays where they go; legends and marks of the table go with them.
TEST_P(ScreenContract, NothingIsExplainedThatIsNotThere) {
  if (writes_csv(GetParam())) GTEST_SKIP() << "files have no legends";
  for (const report::Table& table : tables_of(GetParam())) {
    for (const std::string& note : table.notes) {
      EXPECT_THAT(note, testing::Not(testing::ContainsRegex("^[^a-zA-Z0-9]+ : "))) << "Table::marks says it";
      for (const report::Column& column : table.columns) {
        EXPECT_FALSE(!column.title.empty() && to_lower(note).starts_with(to_lower(column.title) + ": "))
            << "explained() says it: " << note;
      }
    }
    const std::vector<std::string> missing = left_out(table, 80);
    const std::vector<std::string> lines = lines_at(table, 80);
    for (const report::Mark& mark : table.marks) {
      bool there = false;
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        if (!for_people(table, c) || std::ranges::count(missing, table.columns[c].title) > 0) continue;
        there |= std::ranges::any_of(table.rows, [&](const auto& row) { return has_mark(row[c], mark); });
      }
      const auto explains = [&](const std::string& line) { return line.starts_with(mark.sign + " : "); };
      EXPECT_EQ(std::ranges::any_of(lines, explains), there) << mark.sign;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Commands, ScreenContract, testing::ValuesIn(kCommandsWithResults));

struct WhatMatters {
  const char* command;
  std::vector<const char*> titles;
};

class NarrowScreen : public CliFixture, public testing::WithParamInterface<WhatMatters> {};

TEST_P(NarrowScreen, ShowsWhatTheCommandIsAskedFor) {
  std::vector<std::string> shown;
  for (const report::Table& table : tables_of(GetParam().command)) {
    const std::vector<std::string> missing = left_out(table, 80);
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const std::string& title = table.columns[c].title;
      if (for_people(table, c) && std::ranges::count(missing, title) == 0) shown.push_back(title);
    }
  }
  for (const char* title : GetParam().titles) EXPECT_THAT(shown, testing::Contains(title));
}

INSTANTIATE_TEST_SUITE_P(
    Commands, NarrowScreen,
    testing::Values(
        WhatMatters{
            "predict resnet50 --machine aws/p3.16xlarge --nodes 2 --strategy data --epochs 2 --samples 1000",
            {"step", "fits", "total time", "total cost"}},
        WhatMatters{"predict resnet50 --gpu a100 --count 8 --strategy data,zero-3,pipeline --batch 32,64",
                    {"strategy", "batch/GPU", "step", "90 % low", "90 % high", "fits"}},
        WhatMatters{"predict resnet50 --machine p4d.24xlarge --nodes 1,2,4 --epochs 90 --samples 1281167",
                    {"machine", "count", "strategy", "total time", "total cost"}},
        WhatMatters{"predict resnet50 --gpu all --max-batch", {"gpu", "batch", "step"}},
        WhatMatters{"predict bert-large --gpu a100", {"memory", "GPU memory", "fits"}},
        WhatMatters{"predict resnet50 --gpu a100 --count 8 --strategy auto", {"strategy"}},
        WhatMatters{"advise resnet18 --samples 1000 --machine aws/p3.2xlarge --count 1,2",
                    {"machine", "machines", "strategy", "time", "90 % high", "cost"}},
        WhatMatters{"advise resnet50 --epochs 90 --samples 1281167 --deadline 24h",
                    {"machine", "machines", "strategy", "time", "90 % high", "cost", "front"}},
        WhatMatters{"scale resnet18 --machine aws/p3.2xlarge --samples 1000 --most 2",
                    {"samples", "time", "cost"}},
        WhatMatters{"scale resnet50 --machine p3.16xlarge --epochs 90 --samples 100000,1281167 --deadline 4h",
                    {"samples", "machines", "time", "90 % high", "cost", "pays up to", "fastest with"}},
        WhatMatters{"simulate --generate philly:jobs=20 --cluster v100=4 --policy fifo",
                    {"policy", "mean JCT", "makespan"}},
        WhatMatters{"simulate --generate philly:jobs=200 --cluster v100=16 --policy fifo,srtf,las",
                    {"policy", "mean JCT", "p99", "makespan", "wait", "Jain", "cost"}},
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
