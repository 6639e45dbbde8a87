// What every picture promises: no text leaves it or touches another, whatever names and numbers there are; it
// says what it shows to who does not see it; it can be read on a dark page.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "sextant/core/csv.h"
#include "sextant/report/analysis_plots.h"
#include "sextant/report/svg_front.h"
#include "sextant/report/svg_scatter.h"
#include "svg_layout.h"
#include "svg_nodes.h"

namespace sextant::report {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// Drawn by the test that looks at it: the program starts once for every test.
struct NamedCase {
  std::string name;
  std::function<std::vector<NamedPicture>()> draw;
};

const char* const kLongName = "aws/p4d.24xlarge in a region far away, with data parallelism over 16 machines";

LinePlot lines(std::size_t count, double last, AxisScale scale) {
  LinePlot plot{.title = "Job completion times of a cluster whose name is long: " + std::string(kLongName),
                .x_label = "time from arrival to completion",
                .y_label = "fraction of completed jobs",
                .x_scale = scale,
                .x_unit = AxisUnit::time};
  for (std::size_t i = 0; i < count; ++i) {
    plot.series.push_back({.name = "policy-" + std::to_string(i) + " " + kLongName,
                           .x = {last / 5000, last / 2, last},
                           .y = {0, 0.5, 1}});
  }
  return plot;
}

FrontPlot front(double time, double cost) {
  FrontPlot plot{.title = std::string("network: time and cost of offers, ") + kLongName, .points = {}};
  for (int i = 0; i < 40; ++i) {
    plot.points.push_back({time * std::pow(1.2, i), cost * std::pow(1.15, -i), i % 2 == 0,
                           std::to_string(i) + " x " + kLongName + ": 3.60 d, 1200000 USD"});
    plot.points.back().low_s = plot.points.back().time_s / 2;
    plot.points.back().high_s =
        i == 4 ? std::numeric_limits<double>::infinity() : 3 * plot.points.back().time_s;
  }
  return plot;
}

Scatter scatter(double from, double to) {
  Scatter plot{
      .title = "kernel on new data " + std::string(kLongName), .quantity = "iteration_s", .points = {}};
  for (int i = 0; i <= 10; ++i) {
    const double value = from + (to - from) * i / 10;
    plot.points.push_back({value, value, i > 8});
  }
  return plot;
}

NodePlot nodes(std::int32_t count, double end) {
  NodePlot plot{
      .title = std::string("sextant on ") + kLongName, .x_label = "time", .nodes = count, .end = end};
  for (std::int32_t node = 0; node < count; ++node) {
    plot.machines.push_back({node, 0, end * (node + 1) / count, node % 2 == 0 ? kLongName : "p3"});
    for (int part = 0; part < 4; ++part) {
      plot.jobs.push_back({.node = node,
                           .begin = end * part / 8,
                           .end = end * (part + 3) / 8,
                           .gpus = 1,
                           .of = 4,
                           .job = part == 3 ? kLongName : "job " + std::to_string(part),
                           .late = part == 2,
                           .due = end * part / 4,
                           .late_end = end * (part + 4) / 8});
    }
  }
  std::ranges::stable_sort(plot.jobs, {}, &JobBar::begin);
  return plot;
}

// `levels` machines with names that are long, each with two batches; y far from zero.
analysis::Analysis analysis_with(int levels, double base, double step, const std::string& response) {
  std::string csv = "machine_of_the_run,batch," + response + "\n";
  for (int i = 0; i < 4 * levels; ++i) {
    const int level = i / 4;
    const double noise = (i * 7919 % 13) / 13.0;
    csv += "cloud/a-machine-with-a-long-name-" + std::to_string(level) + "," + std::to_string(1 << (i % 2)) +
           "," + std::to_string(base + step * (level + noise + (i % 2) * level)) + "\n";
  }
  return analysis::analyze(
      analysis::analysis_table(CsvTable::parse(csv, "runs.csv"), {.response = response}));
}

template <typename Plot>
std::function<std::vector<NamedPicture>()> one(const Plot& plot) {
  return [plot] { return std::vector<NamedPicture>{{"picture", to_svg(plot)}}; };
}

std::vector<NamedCase> pictures() {
  std::vector<NamedCase> all = {
      {"lines over seconds", one(lines(3, 40, AxisScale::linear))},
      {"lines over days", one(lines(3, 4e5, AxisScale::linear))},
      {"lines over decades", one(lines(40, 4e7, AxisScale::log))},
      {"a front of days and millions", one(front(4e4, 3e6))},
      {"a front of milliseconds and cents", one(front(4e-3, 0.01))},
      {"residuals of a wide range", one(scatter(1e-4, 1e5))},
      {"residuals far from zero", one(scatter(1000000.01, 1000000.06))},
      {"a search", one(ConvergencePlot{.title = std::string("Best so far: ") + kLongName,
                                       .metric = "cost_usd",
                                       .series = {{kLongName, {1234567.5, 1234567.25, 1234567.125}}},
                                       .trials = {1234567.5, std::nan(""), 1234567.125}})},
      {"one node", one(nodes(1, 30))},
      {"a hundred nodes", one(nodes(100, 4e5))},
  };
  struct Analysed {
    const char* name;
    int levels;
    double base;
    double step;
    const char* response;
  };
  for (const Analysed& a : {Analysed{"few levels", 3, 10, 1, "y"},
                            Analysed{"many levels", 60, 10, 1, "wall_clock_time_of_the_whole_training_job_s"},
                            Analysed{"levels far from zero", 12, 1000000, 0.01, "cost"}}) {
    all.push_back({std::string("an analysis, ") + a.name,
                   [a] { return analysis_pictures(analysis_with(a.levels, a.base, a.step, a.response)); }});
  }
  return all;
}

class PictureContract : public testing::TestWithParam<NamedCase> {};

TEST_P(PictureContract, NoTextLeavesItOrTouchesAnother) {
  for (const NamedPicture& picture : GetParam().draw()) {
    EXPECT_THAT(test::layout_faults(picture.svg), IsEmpty()) << picture.name;
  }
}

TEST_P(PictureContract, SaysWhatItShows) {
  for (const NamedPicture& picture : GetParam().draw()) {
    SCOPED_TRACE(picture.name);
    EXPECT_THAT(picture.svg, StartsWith("<svg "));
    EXPECT_THAT(picture.svg, HasSubstr(" role=\"img\" "));
    EXPECT_THAT(picture.svg, testing::ContainsRegex("<title>..*</title>"));
    EXPECT_THAT(picture.svg, testing::ContainsRegex("<desc>..*</desc>"));
  }
}

TEST_P(PictureContract, StandsOutOnItsOwnGround) {
  for (const NamedPicture& picture : GetParam().draw()) {
    SCOPED_TRACE(picture.name);
    EXPECT_THAT(picture.svg, HasSubstr("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"));
    for (const std::string& colour : test::colours(picture.svg)) {
      EXPECT_GE(test::contrast(colour, "#ffffff"), 3) << colour;
    }
  }
}

TEST_P(PictureContract, HasNoNumberThatIsNone) {
  for (const NamedPicture& picture : GetParam().draw()) {
    EXPECT_THAT(picture.svg, testing::Not(HasSubstr("nan"))) << picture.name;
    EXPECT_THAT(picture.svg, testing::Not(HasSubstr("inf"))) << picture.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Pictures, PictureContract, testing::ValuesIn(pictures()), [](const auto& picture) {
  std::string name = picture.param.name;
  std::erase_if(name, [](char c) { return c == ' ' || c == ',' || c == '-'; });
  return name;
});

TEST(LayoutFaults, AreFound) {
  const std::string head = "<svg viewBox=\"0 0 100 50\">";
  const auto text = [](const char* x, const char* y, const char* more) {
    return "<text x=\"" + std::string(x) + "\" y=\"" + y + "\" " + more + ">label</text>";
  };
  EXPECT_THAT(test::layout_faults(head + text("10", "20", "") + text("60", "20", "")), IsEmpty());
  EXPECT_THAT(test::layout_faults(head + text("10", "20", "") + text("30", "20", "")), testing::SizeIs(1));
  EXPECT_THAT(test::layout_faults(head + text("90", "20", "")), testing::SizeIs(1));
  EXPECT_THAT(test::layout_faults(head + text("95", "20", "text-anchor=\"end\"")), IsEmpty());
  EXPECT_THAT(test::layout_faults(head + text("10", "20", "transform=\"rotate(-90 10 20)\"")),
              testing::SizeIs(1));
}

TEST(Pictures, NamesMayHoldAnyBytes) {
  const std::string svg = to_svg(Scatter{"a\x1b[2J\xFF\xC0\x80 \xED\xA0\x80", "q", {{1, 2, false}}});
  EXPECT_THAT(svg, HasSubstr(">a\\x1b[2J\\xff\\xc0\\x80 \\xed\\xa0\\x80</text>"));
}

}  // namespace
}  // namespace sextant::report
