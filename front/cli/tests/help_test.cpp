// Help fits the terminal, shows what most people need first, and the manual pages say the same.
#include "help.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli_fixture.h"
#include "help_lines.h"
#include "manual.h"
#include "sextant/cli/command.h"
#include "sextant/core/text.h"
#include "sextant/report/text_wrap.h"

namespace sextant::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

class Help : public test::CliFixture {};

std::string help_at(int width, std::vector<std::string> words) {
  std::ostringstream out;
  std::ostringstream err;
  Io io{out, err};
  io.width = width;
  words.emplace_back("--help");
  EXPECT_EQ(run(words, io), kDone);
  return out.str();
}

std::vector<std::string> words_in(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) {
    if (word != "\\") words.push_back(word);  // the end of a line of an example
  }
  return words;
}

// Lines that could have been broken and were not. What stands in quotes is one word.
std::vector<std::string> too_long(const std::string& help, std::size_t width) {
  std::vector<std::string> lines;
  for (const std::string& line : split(help, '\n')) {
    const bool one_word =
        trim(line).find(' ') == std::string_view::npos || line.find('\'') != std::string::npos;
    if (report::display_width(line) > width && !one_word) lines.push_back(line);
  }
  return lines;
}

TEST_F(Help, FitsTheTerminalAndBreaksNoWord) {
  for (const Command& command : all_commands()) {
    const std::vector<std::string> path = split(command.path, ' ');
    const std::string narrow = help_at(80, path);
    const std::string wide = help_at(120, path);
    EXPECT_EQ(too_long(narrow, 80), std::vector<std::string>{}) << command.path;
    EXPECT_EQ(too_long(wide, 120), std::vector<std::string>{}) << command.path;
    EXPECT_EQ(words_in(narrow), words_in(wide)) << command.path;
    EXPECT_EQ(help_at(0, path), narrow) << "a pipe has 80 columns";
  }
  EXPECT_EQ(too_long(help_at(80, {}), 80), std::vector<std::string>{});
  EXPECT_EQ(words_in(help_at(80, {})), words_in(help_at(120, {})));
}

TEST_F(Help, BeginsWithAnExample) {
  for (const Command& command : all_commands()) {
    const std::string help = help_at(80, split(command.path, ' '));
    const std::size_t example = help.find("\nExample");
    ASSERT_NE(example, std::string::npos) << command.path;
    EXPECT_LT(example, help.find("\nUsage:")) << command.path;
    EXPECT_LT(example, help.find("ptions:")) << command.path;
  }
  EXPECT_LT(help_at(80, {}).find("$ sextant predict"), help_at(80, {}).find("Plan a training job"));
  EXPECT_THAT(help_at(80, {"records"}), HasSubstr("Example:\n  $ sextant records "));
}

TEST_F(Help, ShowsWhatMostPeopleNeedFirst) {
  const std::string help = help_at(80, {"predict"});
  const std::vector<std::string> order = {"\nArguments:",      "\nOptions:",     "  --gpu ",
                                          "\nSeveral GPUs:",   "  --placement ", "\nSoftware:",
                                          "\nCommon options:", "  --seed "};
  for (std::size_t i = 1; i < order.size(); ++i) {
    ASSERT_NE(help.find(order[i]), std::string::npos) << order[i];
    EXPECT_LT(help.find(order[i - 1]), help.find(order[i])) << order[i];
  }
}

TEST_F(Help, ListsEveryCommandOnceUnderWhatPeopleWant) {
  const std::string help = help_at(120, {});
  EXPECT_THAT(help, HasSubstr("\nShare a cluster: queues, policies, traces of jobs:\n"));
  EXPECT_THAT(help, Not(HasSubstr("\nMore:")))
      << "a command without a wish: say what it is for in its declaration";
  for (const Command& command : all_commands()) {
    EXPECT_NE(command.wish, Wish::unsorted) << command.path;
    const std::string line = "\n  " + command.path + "  ";
    ASSERT_NE(help.find(line), std::string::npos) << command.path;
    EXPECT_EQ(help.find(line), help.rfind(line)) << command.path;
  }
}

// What an option means is said in one form: a thing or an action, its default in brackets, no riddle.
TEST_F(Help, OptionsAreSaidAlike) {
  const std::vector<std::string> riddles = {"unless stated", "unless given", "so many",    "instants",
                                            "from where on", "nobody",       "the same at"};
  Globals globals;
  std::vector<Option> all = global_options(globals);
  for (const Command& command : all_commands()) {
    for (const std::string& riddle : riddles) {
      EXPECT_THAT(command.summary + command.details, Not(HasSubstr(riddle))) << command.path;
    }
    std::ranges::copy(command.options, std::back_inserter(all));
  }
  for (const Option& option : all) {
    EXPECT_FALSE(option.summary.empty() || option.summary.ends_with('.')) << option.typed();
    EXPECT_FALSE(option.summary.starts_with("or ") || option.summary.starts_with("lost ")) << option.typed();
    for (const std::string& riddle : riddles) {
      EXPECT_THAT(option.summary, Not(HasSubstr(riddle))) << option.typed();
    }
  }
}

// The number of a trial has to be given, so that no value stands for it.
TEST_F(Help, WhatIsRequiredHasNoDefault) {
  const std::string tell = help_at(100, {"explore", "tell"});
  EXPECT_THAT(tell, HasSubstr("number of the trial"));
  EXPECT_THAT(tell, Not(HasSubstr("number of the trial (default")));
}

TEST_F(Help, SaysHowToHaveAFileOnStandardOutput) {
  EXPECT_THAT(help_at(80, {"fit"}), HasSubstr("Use '-' to write the file to standard output"));
  EXPECT_THAT(help_at(80, {"version"}), Not(HasSubstr("'-' for standard output")));
}

TEST(HelpLines, FillsLinesAndKeepsItems) {
  EXPECT_EQ(help_paragraphs("one two three", 9), "one two\nthree\n");
  EXPECT_EQ(help_paragraphs("one two", 20, {2, 4}), "  one two\n");
  EXPECT_EQ(help_paragraphs("one\ntwo", 20), "one two\n");
  EXPECT_EQ(help_paragraphs("list:\n- first of all\n- second", 12), "list:\n- first of\n  all\n- second\n");
  EXPECT_EQ(help_paragraphs("averyveryverylongword x", 5), "averyveryverylongword\nx\n");
  EXPECT_EQ(help_paragraphs("≥≥≥ ≥≥≥", 7), "≥≥≥ ≥≥≥\n") << "letters count, not bytes";
  EXPECT_EQ(help_paragraphs("", 10), "");
}

TEST(HelpLines, BreaksACommandBetweenArgumentsAlone) {
  EXPECT_EQ(shell_command("sextant predict x --gpu v100 --deadline '24 h'", 26),
            "  $ sextant predict x \\\n      --gpu v100 \\\n      --deadline '24 h'\n");
}

TEST_F(Help, ManualPagesHaveEveryCommandAndOption) {
  Globals globals;
  const std::vector<Command> commands = all_commands();
  const std::vector<ManualPage> pages = manual_pages(commands, global_options(globals));
  EXPECT_EQ(pages.size(), commands.size() + 2) << "sextant(1) and sextant-worker(1) too";
  for (const Command& command : commands) {
    std::string file = "sextant-" + command.path + ".1";
    std::ranges::replace(file, ' ', '-');
    const auto page = std::ranges::find(pages, file, &ManualPage::file);
    ASSERT_NE(page, pages.end()) << file;
    for (const Option& option : command.options) {
      std::string name = option.typed();
      for (std::size_t at = 0; (at = name.find('-', at)) != std::string::npos; at += 2) name.insert(at, "\\");
      EXPECT_THAT(page->text, HasSubstr(".B " + name)) << file;
    }
  }
}

TEST_F(Help, ManualPagesAreWrittenToAFolder) {
  std::filesystem::create_directory("man1");
  EXPECT_EQ(test::sextant_run({"reference", "--man", "man1"}).code, kDone);
  const std::string page = read("man1/sextant-net-summary.1");
  EXPECT_THAT(page, HasSubstr(".TH SEXTANT-NET-SUMMARY 1 "));
  EXPECT_EQ(test::sextant_run({"reference", "--man", "absent"}).code, kBadInput);
}

}  // namespace
}  // namespace sextant::cli
