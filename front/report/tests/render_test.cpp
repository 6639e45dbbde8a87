#include "sextant/report/render.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

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

TEST(Render, TerminalLinesAreCutAtTheWidth) {
  std::istringstream lines(
      text([](auto& out) { render_screen(out, sample_table(), {.color = false, .width = 10}); }));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(display_width(line), 10U);
  EXPECT_TRUE(line.ends_with("…"));
}

TEST(Render, PipesAreNeverCut) {
  Table wide;
  wide.columns = {{"x", std::string(500, 'x')}};
  EXPECT_EQ(text([&](auto& out) { render_screen(out, wide, {}); }), std::string(500, 'x') + "\n");
}

TEST(Render, WidthCountsCodePoints) {
  EXPECT_EQ(display_width("µs…"), 3U);
}

TEST(Render, CountsAreGroupedForPeopleOnly) {
  const Cell cell(std::int64_t{25557032});
  EXPECT_EQ(cell.shown, "25,557,032");
  EXPECT_EQ(Cell(std::int64_t{-1234}).shown, "-1,234");
  EXPECT_EQ(Cell(std::int64_t{999}).shown, "999");
}

}  // namespace
}  // namespace sextant::report
