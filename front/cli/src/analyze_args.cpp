#include "analyze_args.h"

#include "sextant/core/text.h"
#include "sextant/report/analysis_report.h"

namespace sextant::cli {
namespace {

std::vector<Option> table_options(ask::AnalyzeQuestion& q) {
  return {{.name = "RUNS",
           .summary =
               "table with a row per run (CSV), or a study: its TOML file, its SQLite file, or postgresql://",
           .target = &q.runs,
           .positional = true,
           .required = true},
          {.name = "response",
           .summary = "column to explain (default for a study: its first objective)",
           .target = &q.response,
           .value_name = "COLUMN"},
          {.name = "name",
           .summary = "which study of a store that holds several",
           .target = &q.study,
           .value_name = "NAME",
           .field = "study",
           .former = {"study"}},
          {.name = "factors",
           .summary = "columns that may explain the response (default: all others)",
           .target = &q.factors,
           .value_name = "LIST"},
          {.name = "without",
           .summary = "columns to leave out of the factors",
           .target = &q.without,
           .value_name = "LIST"},
          {.name = "group",
           .summary = "column that names the workload; the analysis then says whether one workload's optimum "
                      "holds for another",
           .target = &q.group,
           .value_name = "COLUMN"},
          {.name = "censored",
           .summary = "rows of runs that did not complete, as in completed=0",
           .target = &q.censored,
           .value_name = "COLUMN=VALUE"},
          {.name = "maximise", .summary = "larger responses are better", .target = &q.maximise},
          {.name = "log",
           .summary = "analyse the logarithm of the response (default: where the checks fail without it and "
                      "hold with it)",
           .target = &q.log},
          {.name = "plain",
           .summary = "analyse the response itself, even where the checks hold on its logarithm only",
           .target = &q.plain}};
}

std::vector<Option> model_options(ask::AnalyzeQuestion& q) {
  return {{.name = "level",
           .summary = "confidence level",
           .target = &q.level,
           .value_name = "P",
           .low = 0.5,
           .high = 0.999999},
          {.name = "order",
           .summary = "highest order of interactions (default: 2 where the runs allow it, else 1)",
           .target = &q.order,
           .value_name = "N",
           .low = 1,
           .high = 4},
          {.name = "sums",
           .summary = "type of the sums of squares",
           .target = &q.sums,
           .value_name = "TYPE",
           .choices = {"II", "III"}},
          {.name = "scaling",
           .summary =
               "fit laws of diminishing returns over this column, which counts workers, machines or the like",
           .target = &q.scaling,
           .value_name = "COLUMN"},
          {.name = "top",
           .summary = "compare workloads by this number of their best configurations",
           .target = &q.top,
           .value_name = "N",
           .low = 1,
           .high = 1000},
          {.name = "detect",
           .summary = "for these differences of the mean, compute how many repetitions are needed to see "
                      "them (default: 1%,2%,5%,10%,20%)",
           .target = &q.detect,
           .value_name = "LIST"},
          {.name = "power",
           .summary = "chance that a true difference is found, for --detect",
           .target = &q.power,
           .value_name = "P",
           .low = 0.1,
           .high = 0.9999}};
}

}  // namespace

std::vector<Option> analyze_options(AnalyzeArgs& a) {
  std::vector<Option> options = table_options(a.question);
  for (Option& option : grouped("Model and tests", model_options(a.question)))
    options.push_back(std::move(option));
  options.push_back({.name = "show",
                     .summary = "sections to show: " + join(report::analysis_section_ids(), ", "),
                     .target = &a.show,
                     .value_name = "LIST",
                     .names = report::analysis_section_ids});
  options.push_back({.name = "all", .summary = "show every section and every pair", .target = &a.all});
  options.push_back({.name = "plot",
                     .summary = "draw the effects of all factors into this file",
                     .target = &a.plot,
                     .value_name = "FILE.svg",
                     .writes = Writes::picture});
  options.push_back(
      {.name = "plot-all",
       .summary = "write every picture into this folder: effects, interactions, residuals, shares, scaling",
       .target = &a.plot_all,
       .value_name = "FOLDER",
       .writes = Writes::place,
       .former = {"svg"}});
  return options;
}

}  // namespace sextant::cli
