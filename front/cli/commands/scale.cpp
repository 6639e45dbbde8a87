// sextant scale: how many machines a growing job needs to end in time, and beyond which number more do not
// pay.
#include <memory>

#include "catalog_option.h"
#include "kinds.h"
#include "plan_args.h"
#include "progress.h"
#include "sextant/cli/run.h"
#include "sextant/report/scale_report.h"

namespace sextant::cli::command_scale {
namespace {

struct ScaleArgs {
  ask::ScaleQuestion question;
  bool curve = false;
};

int run_scale(const ScaleArgs& args, const Io& io, const Globals& globals) {
  const std::shared_ptr<const catalog::Catalog> catalog = shared_catalog(io, globals);
  const ask::ScaleAnswers answer = ask::scale(args.question, *catalog, *progress_on(io));
  for (const auto& line : answer.remarks.notes) note(io, line);
  for (const auto& line : answer.remarks.warnings) warn(io, line);
  report::Result result = report::scale_result(answer);
  write_result(io, globals, args.curve ? only(std::move(result), report::kScaleCurve) : result);
  for (const auto& warning : report::scale_warnings(answer)) warn(io, warning);
  return answer.feasible() ? kDone : kInfeasible;
}

std::vector<Option> scale_options(ScaleArgs& a) {
  std::vector<Option> options = plan_options(a.question.plan);
  const std::vector<Option> own = {
      {.name = "machine",
       .summary = "machine type",
       .target = &a.question.machine,
       .value_name = "M",
       .required = true,
       .names = machine_names},
      {.name = "samples",
       .summary = "sizes of the data set",
       .target = &a.question.samples,
       .value_name = "LIST",
       .low = 1,
       .high = 1e12,
       .counted = true},
      {.name = "tokens",
       .summary = "of a large language model instead: tokens of a pass, as in 300B,1T",
       .target = &a.question.tokens,
       .value_name = "LIST",
       .low = 1,
       .high = 1e18,
       .counted = true},
      {.name = "epochs",
       .summary = "passes over the data set",
       .target = &a.question.epochs,
       .value_name = "E",
       .low = 1e-6,
       .high = 1e6},
      {.name = "most",
       .summary = "largest number of machines to look at",
       .target = &a.question.most,
       .value_name = "N",
       .low = 1,
       .high = 10'000},
      {.name = "efficiency",
       .summary = "a machine is worth it if it adds at least this share of the first one's speed",
       .target = &a.question.efficiency,
       .value_name = "S",
       .low = 0,
       .high = 1},
      {.name = "curve", .summary = "show every number of machines", .target = &a.curve}};
  options.insert(options.end(), own.begin(), own.end());
  return options;
}

}  // namespace

std::vector<Command> plugin() {
  const auto args = std::make_shared<ScaleArgs>();
  return {
      {.path = "scale",
       .wish = Wish::plan,
       .summary =
           "how many machines a growing job needs to end in time, and how many are too many to pay off",
       .details =
           "For each size of the data set, the answer has the smallest number of machines that ends by the "
           "deadline, the largest number at which the last machine still pays, and the fastest number. The "
           "exit code is 3 if no number of machines ends in time.",
       .examples = {"sextant scale resnet50 --machine aws/p3.2xlarge --deadline '12 h' --epochs 90 "
                    "--samples 100000,200000,400000",
                    "sextant scale resnet50 --machine aws/p3.16xlarge --samples 1281167 --curve"},
       .options = scale_options(*args),
       .run = [args](const Io& io, const Globals& globals) { return run_scale(*args, io, globals); }}};
}

}  // namespace sextant::cli::command_scale
