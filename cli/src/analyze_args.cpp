#include "analyze_args.h"

#include "sextant/core/text.h"
#include "sextant/report/analysis_report.h"

namespace sextant {
namespace {

// "5%" or "0.05": of the mean.
double fraction_of(const std::string& text) {
  const bool percent = !text.empty() && text.back() == '%';
  const auto number = to_number(trim(percent ? text.substr(0, text.size() - 1) : text));
  const double value = number ? (percent ? *number / 100 : *number) : 0;
  if (value > 0 && value <= 100) return value;
  throw InputError({"--detect"}, "'" + text + "' is not a positive share of the mean", "as in 5% or 0.05");
}

std::vector<Option> table_options(AnalyzeArgs& a) {
  return {{.name = "RUNS",
           .summary = "table of runs (CSV), or a study: its TOML, its SQLite file, or postgresql://",
           .target = &a.input,
           .positional = true,
           .required = true},
          {.name = "response",
           .summary = "column to explain; of a study: its first objective unless stated",
           .target = &a.response,
           .value_name = "COLUMN"},
          {.name = "study",
           .summary = "which study, where several are kept",
           .target = &a.study,
           .value_name = "NAME"},
          {.name = "factors",
           .summary = "columns that may explain it; default: all others",
           .target = &a.factors,
           .value_name = "LIST"},
          {.name = "without",
           .summary = "columns that are no factors",
           .target = &a.without,
           .value_name = "LIST"},
          {.name = "group",
           .summary = "column of the workloads: does the optimum of one hold for another?",
           .target = &a.group,
           .value_name = "COLUMN"},
          {.name = "censored",
           .summary = "rows that did not complete, as in completed=0",
           .target = &a.censored,
           .value_name = "COLUMN=VALUE"},
          {.name = "maximise", .summary = "larger responses are better", .target = &a.maximise},
          {.name = "log", .summary = "analyse the logarithm of the response", .target = &a.log}};
}

std::vector<Option> model_options(AnalyzeArgs& a) {
  return {{.name = "level",
           .summary = "confidence level",
           .target = &a.level,
           .value_name = "P",
           .low = 0.5,
           .high = 0.999999},
          {.name = "order",
           .summary = "of interactions; default: 2 where the runs allow it, else 1",
           .target = &a.order,
           .value_name = "N",
           .low = 1,
           .high = 4},
          {.name = "sums",
           .summary = "type of the sums of squares",
           .target = &a.sums,
           .value_name = "TYPE",
           .choices = {"II", "III"}},
          {.name = "scaling",
           .summary = "column of a count: fit laws of diminishing returns over it",
           .target = &a.scaling,
           .value_name = "COLUMN"},
          {.name = "top",
           .summary = "best configurations that workloads are compared by",
           .target = &a.top,
           .value_name = "N",
           .low = 1,
           .high = 1000},
          {.name = "detect",
           .summary = "differences, of the mean, to find repetitions for; default: 1%,2%,5%,10%,20%",
           .target = &a.differences,
           .value_name = "LIST"},
          {.name = "power",
           .summary = "chance to see a difference that is there",
           .target = &a.power,
           .value_name = "P",
           .low = 0.1,
           .high = 0.9999}};
}

}  // namespace

std::vector<Option> analyze_options(AnalyzeArgs& a) {
  std::vector<Option> options = table_options(a);
  for (Option& option : model_options(a)) options.push_back(std::move(option));
  options.push_back({.name = "show",
                     .summary = "sections to show: " + join(analysis_section_ids(), ", "),
                     .target = &a.show,
                     .value_name = "LIST",
                     .names = analysis_section_ids});
  options.push_back({.name = "all", .summary = "every section, every pair", .target = &a.all});
  options.push_back(
      {.name = "svg", .summary = "folder to write pictures to", .target = &a.svg, .value_name = "FOLDER"});
  return options;
}

AnalysisRequest analysis_request(const AnalyzeArgs& args) {
  return {.response = args.response,
          .factors = args.factors,
          .left_out = args.without,
          .group = args.group.value_or(""),
          .censored = args.censored.value_or(""),
          .maximise = args.maximise,
          .log = args.log};
}

AnalysisOptions analysis_options(const AnalyzeArgs& args, std::int64_t seed) {
  AnalysisOptions options{.level = args.level,
                          .scaling = args.scaling.value_or(""),
                          .top = static_cast<std::size_t>(args.top),
                          .power = args.power,
                          .seed = static_cast<std::uint64_t>(seed)};
  if (args.order) options.anova.order = static_cast<int>(*args.order);
  if (args.sums == "III") options.anova.type = SumsOfSquares::type_three;
  if (!args.differences.empty()) options.differences.clear();
  for (const std::string& text : args.differences) options.differences.push_back(fraction_of(text));
  if (args.power <= 1 - args.level) {
    throw InputError({"--power"}, "is not above the chance of a false alarm", "0.8 and 0.9 are usual");
  }
  return options;
}

}  // namespace sextant
