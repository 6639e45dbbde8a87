#include "sextant/report/render.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "sextant/report/result.h"
#include "sextant/report/text_wrap.h"

namespace sextant::report {
namespace {

Table sample_table() {
  Table table;
  table.columns = {{"gpu", "gpu"}, {"iteration_s", "step"}, {"fits", "fits"}};
  table.rows = {{"v100", Seconds{0.0124}, true}, {"a,b|c", Cell(), false}};
  table.notes = {"a note"};
  return table;
}

template <class Render>
std::string text(Render render) {
  std::ostringstream out;
  render(out);
  return out.str();
}

TEST(Render, ScreenAlignsNumbersRight) {
  EXPECT_EQ(text([](auto& out) { render_screen(out, sample_table(), {}); }),
            "gpu       step  fits\n"
            "v100   12.4 ms  yes\n"
            "a,b|c           no\n"
            "a note\n");
}

TEST(Render, CsvKeepsExactValues) {
  EXPECT_EQ(text([](auto& out) { render_csv(out, sample_table()); }),
            "gpu,iteration_s,fits\nv100,0.0124,true\n\"a,b|c\",,false\n");
}

TEST(Render, MarkdownEscapesBars) {
  EXPECT_EQ(
      text([](auto& out) { render_markdown(out, sample_table()); }),
      "| gpu | step | fits |\n|---|--:|---|\n| v100 | 12.4 ms | yes |\n| a,b\\|c |  | no |\n\na note\n");
}

TEST(Render, JsonIsAListOfObjectsWithNullForTheUnknown) {
  EXPECT_EQ(
      to_json(sample_table()).dump(),
      R"([{"gpu":"v100","iteration_s":0.0124,"fits":true},{"gpu":"a,b|c","iteration_s":null,"fits":false}])");
}

std::string on_screen(const Table& table, int width) {
  return text([&](auto& out) { render_screen(out, table, {.color = false, .width = width}); });
}

TEST(Render, EssentialColumnsWithoutRoomFollowBelowWithTheFirst) {
  Table table = sample_table();
  for (Column& column : table.columns) column.importance = Importance::essential;
  EXPECT_EQ(on_screen(table, 14),
            "gpu       step\n"
            "v100   12.4 ms\n"
            "a,b|c\n"
            "\n"
            "gpu    fits\n"
            "v100   yes\n"
            "a,b|c  no\n"
            "a note\n");
}

TEST(Render, WhatFitsInNoWayIsCutAtTheWidth) {
  Table table;
  table.columns = {{"gpu", "gpu", Importance::essential}, {"n", "n", Importance::essential}};
  table.rows = {{"v100", 123456789.5}};
  EXPECT_EQ(on_screen(table, 10), "gpu      …\nv100  123…\n");
}

TEST(Render, SentencesAreFoldedBeforeAColumnIsLeftOut) {
  Table table;
  table.columns = {{"id", "id", Importance::essential}, {"summary", "summary"}, {"n", "n"}};
  table.rows = {{"fifo", "first come, first served, as every queue in a shop", std::int64_t{1}}};
  EXPECT_EQ(on_screen(table, 36),
            "id    summary                    n\n"
            "fifo  first come, first served,  1\n"
            "      as every queue in a shop\n");
}

TEST(Render, TitlesAreFoldedBeforeAColumnIsLeftOut) {
  Table table;
  table.columns = {{"id", "id"}, {"error", "error on networks left out"}, {"n", "n"}};
  table.rows = {{"v100", 1.5, std::int64_t{1}}};
  EXPECT_EQ(on_screen(table, 20),
            "id    error on  n\n"
            "      networks\n"
            "      left out\n"
            "v100       1.5  1\n");
}

TEST(Render, NotesAreWrappedAtTheTerminal) {
  Table table = sample_table();
  table.notes = {"a note of several words, which a terminal would break in the middle"};
  EXPECT_EQ(on_screen(table, 30),
            "gpu       step  fits\n"
            "v100   12.4 ms  yes\n"
            "a,b|c           no\n"
            "a note of several words, which\n"
            "  a terminal would break in\n"
            "  the middle\n");
}

TEST(Render, ControlCharactersOfNamesDoNotReachTheTerminal) {
  Table table;
  table.columns = {{"job", "job"}};
  table.rows = {
      {"a\x1b[2Jb\nc\xC2\x9B"
       "d"}};
  EXPECT_EQ(on_screen(table, 80), "job\na\\x1b[2Jb\\nc\\xc2\\x9bd\n");
  std::ostringstream markdown;
  render_markdown(markdown, table);
  EXPECT_EQ(markdown.str(), "| job |\n|---|\n| a\\x1b[2Jb\\nc\\xc2\\x9bd |\n");
}

TEST(Render, LegendsOfShownColumnsStandOnceBelowTheNotes) {
  Table table = sample_table();
  table.columns[0].importance = table.columns[2].importance = Importance::essential;
  table.columns[0].legend = table.columns[2].legend = "as the catalogue says";
  table.columns[1].legend = "one iteration";
  EXPECT_EQ(on_screen(table, 80),
            "gpu       step  fits\n"
            "v100   12.4 ms  yes\n"
            "a,b|c           no\n"
            "a note\n"
            "gpu, fits: as the catalogue says\n"
            "step: one iteration\n");
  EXPECT_EQ(on_screen(table, 18).find("one iteration"), std::string::npos) << "its column is left out";
  const std::string markdown = text([&](auto& out) { render_markdown(out, table); });
  EXPECT_NE(markdown.find("\nstep: one iteration\n"), std::string::npos);
}

TEST(Render, PipesAreNeverCut) {
  Table wide;
  wide.columns = {{"x", std::string(500, 'x')}};
  EXPECT_EQ(text([&](auto& out) { render_screen(out, wide, {}); }), std::string(500, 'x') + "\n");
}

TEST(Render, NarrowScreensDropWhatIsNotEssentialFromTheRight) {
  Table table = sample_table();
  table.columns[0].importance = table.columns[2].importance = Importance::essential;
  EXPECT_EQ(on_screen(table, 12),
            "gpu    fits\nv100   yes\na,b|c  no\na note\nNot shown at\n  this\n  width:\n  step.\n");
}

TEST(Render, ListsHaveTheirTextInCsvAndThemselvesInJson) {
  Table table;
  table.columns = {{"inputs", "inputs"}, {"shape", "", Importance::detail}};
  table.rows = {{Cell::nested({0, 1}, "0 1"), Cell::nested({2})}, {Cell::nested(Json::array()), Cell()}};
  EXPECT_EQ(text([&](auto& out) { render_csv(out, table); }), "inputs\n0 1\n\"\"\n");
  EXPECT_EQ(to_json(table).dump(), R"([{"inputs":[0,1],"shape":[2]},{"inputs":[],"shape":null}])");
}

TEST(Render, ATableWithoutColumnsForPeopleIsItsNotes) {
  Table table;
  table.columns = {{"version", "", Importance::detail}};
  table.rows = {{"1.0"}};
  table.notes = {"sextant 1.0"};
  EXPECT_EQ(text([&](auto& out) { render_screen(out, table, {}); }), "sextant 1.0\n");
  EXPECT_EQ(text([&](auto& out) { render_markdown(out, table); }), "sextant 1.0\n");
  EXPECT_EQ(text([&](auto& out) { render_csv(out, table); }), "version\n1.0\n");
}

TEST(Fields, OfAPartMakeAnObjectAndAreUnknownWithoutIt) {
  struct Whole {
    std::optional<double> part;
  };
  const Fields<double> part = {{"twice", "twice", [](const double& value) { return Cell(2 * value); }}};
  const Fields<Whole> fields = of_part<Whole, double>(
      part, [](const Whole& w) { return w.part ? &*w.part : nullptr; }, "part.");
  EXPECT_EQ(to_json(table_of(fields, std::vector<Whole>{{1.5}, {}})).dump(),
            R"([{"part":{"twice":3.0}},{"part":{"twice":null}}])");
}

TEST(Fields, AreExplainedByKey) {
  const Fields<double> fields = {{"jain", "Jain", [](const double& value) { return Cell(value); }}};
  const Table table = table_of(explained(fields, {{"jain", "fairness; 1 is fair"}}), std::vector<double>{1});
  EXPECT_EQ(on_screen(table, 0), "Jain\n   1\nJain: fairness; 1 is fair\n");
  EXPECT_THROW(explained(fields, {{"jane", ""}}), std::logic_error);
}

TEST(Fields, OneThingReadsDownwards) {
  Table facts;
  facts.columns = {{"id", "id"}, {"year", "year"}, {"tdp_w", "TDP"}, {"listed", "", Importance::detail}};
  facts.columns[2].legend = "power at most";
  facts.rows = {{"v100", Cell(), Watts{300}, true}};
  EXPECT_EQ(text([&](auto& out) { render_screen(out, by_field(facts), {}); }),
            "field  value\nid     v100\nTDP    300 W\nTDP: power at most\n");
}

TEST(Result, SectionsWithoutAKeyAreForPeople) {
  Table facts;
  facts.columns = {{"id", "id"}};
  facts.rows = {{"v100"}};
  const Result result{.schema = "sextant.x/1", .sections = {{.table = by_field(facts)}}, .facts = facts};
  EXPECT_EQ(to_json(result).dump(), R"({"schema":"sextant.x/1","id":"v100"})");
}

TEST(Render, CountsAreGroupedForPeopleOnly) {
  const Cell cell(std::int64_t{25557032});
  EXPECT_EQ(cell.shown, "25,557,032");
  EXPECT_EQ(Cell(std::int64_t{-1234}).shown, "-1,234");
  EXPECT_EQ(Cell(std::int64_t{999}).shown, "999");
}

}  // namespace
}  // namespace sextant::report
