#include "field_words.h"

#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli_fixture.h"
#include "sextant/core/error.h"

namespace sextant::cli::test {
namespace {

FieldWords example_words() {
  static std::string text;
  Command running;
  running.options = {{.name = "NET", .summary = "", .target = &text, .positional = true},
                     {.name = "batch", .summary = "", .target = &text},
                     {.name = "learning-rate", .summary = "", .target = &text},
                     {.name = "machine", .summary = "", .target = &text, .field = "machines"}};
  Command other;
  other.options = {{.name = "FILE", .summary = "", .target = &text, .positional = true},
                   {.name = "net", .summary = "", .target = &text},
                   {.name = "to", .summary = "", .target = &text}};
  return {running, {{.name = "seed", .summary = "", .target = &text}}, {running, other}};
}

TEST(FieldWords, AFieldIsSaidAsTheOptionOfItsName) {
  const FieldWords words = example_words();
  EXPECT_EQ(words.say("`batch` is too large for `net`"), "--batch is too large for NET");
  EXPECT_EQ(words.say("`learning_rate` and `seed`"), "--learning-rate and --seed");
  EXPECT_EQ(words.say("'`batch` 32' fits"), "'--batch 32' fits");
  EXPECT_EQ(words.say(""), "");
}

TEST(FieldWords, AnOptionMayAnswerToAnotherField) {
  const FieldWords words = example_words();
  EXPECT_EQ(words.say("`machines`"), "--machine");
  EXPECT_EQ(words.say("`machine`"), "`machine`");
}

TEST(FieldWords, TextsMayLeadToOtherCommands) {
  const FieldWords words = example_words();
  EXPECT_EQ(words.say("write it with `to`"), "write it with --to");
  EXPECT_EQ(words.say("the `file` of `net`"), "the `file` of NET");
}

TEST(FieldWords, WhatIsNoOptionStays) {
  const FieldWords words = example_words();
  EXPECT_EQ(words.say("`gpu` and `batch`"), "`gpu` and --batch");
  EXPECT_EQ(words.say("a ` alone, then `batch`"), "a ` alone, then --batch");
  EXPECT_EQ(words.say("`` and `"), "`` and `");
}

TEST(FieldWords, PositionsOfErrorsAreFields) {
  const FieldWords words = example_words();
  EXPECT_EQ(words.say(InputError(at_field("batch"), "is 0", "see `net`").what()),
            "--batch: error: is 0\n  hint: see NET");
  EXPECT_EQ(words.say(InputError({.file = "batch", .line = 1, .column = 3, .field = true}, "is 0").what()),
            "--batch:1:3: error: is 0");
  EXPECT_EQ(words.say(InputError({"batch"}, "is 0").what()), "batch: error: is 0");  // a file of this name
}

TEST(FieldWords, ResultsAreSaidTextByText) {
  std::ostringstream nowhere;
  Io io{nowhere, nowhere};
  io.words = std::make_shared<FieldWords>(example_words());
  report::Table table{.columns = {{"why", "why"}}, .rows = {{"give `batch`"}}, .notes = {"`seed` is 0"}};
  table = all_said(io, std::move(table));
  EXPECT_EQ(table.rows[0][0].shown, "give --batch");
  EXPECT_EQ(std::get<std::string>(table.rows[0][0].value), "give --batch");
  EXPECT_EQ(table.notes[0], "--seed is 0");
  const Json json = {{"batch", 3}, {"warnings", {"`batch` is small"}}};
  EXPECT_EQ(all_said(io, json).dump(), R"({"batch":3,"warnings":["--batch is small"]})");
}

class FieldWordsOfCommands : public CliFixture {};

TEST_F(FieldWordsOfCommands, LibrariesAreHeardInTheWordsOfTheCommand) {
  EXPECT_EQ(sextant_run({"predict", "vgg16", "--gpu", "v100", "--image", "8"}).err,
            "--image: error: 8 pixels are too few for network 'vgg16'\n  hint: at least 32\n");
  EXPECT_NE(sextant_run({"list", "predictors"}).out.find("(--from, --measured)"), std::string::npos);
  write("cases.csv", "net\nvgg16\n");
  EXPECT_NE(sextant_run({"predict", "--cases", "cases.csv"}).out.find("or for all rows by --gpu)"),
            std::string::npos);
}

}  // namespace
}  // namespace sextant::cli::test
