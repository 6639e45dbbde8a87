#include "advise_args.h"

#include "kinds.h"
#include "plan_args.h"
#include "predict_args.h"

namespace sextant::cli {
namespace {

std::vector<Option> advice_files(AdviseArgs& a) {
  return {
      {.name = "plot",
       .summary = "draw time and cost of the offers into this picture",
       .target = &a.plot,
       .value_name = "FILE.svg",
       .writes = Writes::picture},
      {.name = "out",
       .summary = "write the first offer as a SkyPilot task into this file ('-': standard output, instead of "
                  "the table)",
       .target = &a.out,
       .value_name = "FILE.yaml",
       .writes = Writes::file}};
}

}  // namespace

std::vector<Option> advise_options(AdviseArgs& a) {
  std::vector<Option> options = plan_options(a.question.plan);
  const std::vector<Option> own = {
      {.name = "samples",
       .summary = "samples in the data set, such as 50000 or 1.28M",
       .target = &a.question.samples,
       .value_name = "N",
       .low = 1,
       .high = 1e12,
       .counted = true},
      {.name = "tokens",
       .summary = "of a large language model instead: tokens of the whole training, as in 15T",
       .target = &a.question.plan.decoder.tokens,
       .value_name = "N",
       .low = 1,
       .high = kMostTokens,
       .advice = "such as 15T, 300B or 1.5e12",
       .counted = true},
      {.name = "epochs",
       .summary = "passes over the data set",
       .target = &a.question.epochs,
       .value_name = "E",
       .low = 1e-6,
       .high = 1e6},
      {.name = "budget",
       .summary = "dollars for the whole job, as in 250 or '250 USD'",
       .target = &a.question.budget,
       .value_name = "B"},
      {.name = "safe",
       .summary = "keep only offers that meet deadline and budget even at the slow end of their interval",
       .target = &a.question.safe},
      {.name = "by",
       .summary =
           "rank the offers by cost or by time (default: cost; with a budget and no deadline, time); "
           "by time, offers within 5 % of the fastest count as equal, and the cheapest of these is first",
       .target = &a.question.by,
       .value_name = "WHAT",
       .choices = {"cost", "time"}},
      {.name = "machine",
       .summary = "machine types to choose from; 'all' means every type with GPUs that the stack runs on",
       .target = &a.question.machines,
       .value_name = "LIST",
       .names = machine_names},
      {.name = "count",
       .summary = "numbers of machines of one type to look at (default 1,2,4,8,16)",
       .target = &a.question.counts,
       .value_name = "LIST",
       .low = 1,
       .high = 10'000},
      {.name = "top",
       .summary = "number of offers to show, 0 for all (default: the best ten and the whole Pareto front)",
       .target = &a.top,
       .value_name = "N",
       .low = 0},
      {.name = "explain",
       .summary = "say what each parallel strategy makes of the first offer",
       .target = &a.explain}};
  for (const auto& group : {own, advice_files(a)}) options.insert(options.end(), group.begin(), group.end());
  return options;
}

}  // namespace sextant::cli
