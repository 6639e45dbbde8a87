// sextant advise: which machines, how many, which strategy for one training job.
#include "sextant/ask/advise.h"

#include <memory>
#include <ostream>

#include "advise_args.h"
#include "catalog_option.h"
#include "output_file.h"
#include "progress.h"
#include "sextant/cli/run.h"
#include "sextant/report/advice_report.h"
#include "sextant/report/skypilot_task.h"

namespace sextant::cli::command_advise {
namespace {

void write_warnings(const Io& io, const ask::AdviseAnswer& answer) {
  for (const auto& warning : answer.warnings) warn(io, warning);
  if (!answer.offers.list.empty()) {
    for (const auto& warning : answer.offers.list.front().step.warnings) warn(io, warning);
  }
  if (answer.advice.tightest) {
    warn(io, "nothing fits: " + report::nothing_fits_text(answer.advice));
    for (const auto& bound : report::bound_texts(answer)) warn(io, bound);
  }
  const std::string refused = report::refusals_text(answer.offers.refusals);
  if (!refused.empty()) warn(io, "left out: " + refused);
}

// "resnet50, fp16, 32 samples on each GPU", for the title of the picture.
std::string job_text(const ask::PlanFields& plan) {
  const std::string batch = plan.global_batch ? std::to_string(*plan.global_batch) + " samples a step"
                                              : std::to_string(plan.batch) + " samples on each GPU";
  return plan.job.net.name + ", " + (plan.job.precision ? *plan.job.precision + ", " : "") + batch;
}

int run_advise(const AdviseArgs& args, const Io& io, const Globals& globals) {
  std::optional<OutputFile> picture = output_file(args.plot, io);
  std::optional<OutputFile> task = output_file(args.out, io);
  const bool task_alone = args.out == kStandardOutput;  // in place of the table
  const std::shared_ptr<const catalog::Catalog> catalog = shared_catalog(io, globals);
  const ask::AdviseAnswer answer = ask::advise(args.question, *catalog, *progress_on(io));
  const auto rows = args.top ? std::optional(static_cast<std::size_t>(*args.top)) : std::nullopt;
  if (!task_alone)
    write_result(io, globals, report::advice_result(answer, {.rows = rows, .explain = args.explain}));
  write_warnings(io, answer);
  if (answer.advice.tightest) return kInfeasible;
  if (task) {
    task->stream() << report::skypilot_task(answer, args.question, *catalog);
    task->commit();
  }
  if (picture) {
    picture->stream() << to_svg(report::front_plot(answer.advice, job_text(args.question.plan)));
    picture->commit();
  }
  return kDone;
}

}  // namespace

std::vector<Command> plugin() {
  const auto args = std::make_shared<AdviseArgs>();
  return {{.path = "advise",
           .wish = Wish::plan,
           .summary = "which machines, how many and which strategy for a training job",
           .details =
               "Looks at machine types x numbers of machines x parallel strategies, drops what does not "
               "fit, ranks the rest by\ncost or time, marks the Pareto front and says why the first is "
               "the first. Times include the start of the\nmachines, and costs are what the provider bills. "
               "If nothing fits, the exit code is 3 and the tightest\nconstraint is named.",
           .examples = {"sextant advise resnet50 --epochs 90 --samples 1281167 --deadline '24 h'",
                        "sextant advise bert-large --samples 88000 --epochs 3 --budget 100 --spot",
                        "sextant advise vgg16 --samples 1281167 --epochs 74 --plot front.svg",
                        "sextant advise resnet50 --samples 1281167 --epochs 90 --out task.yaml"},
           .options = advise_options(*args),
           .run = [args](const Io& io, const Globals& globals) { return run_advise(*args, io, globals); }}};
}

}  // namespace sextant::cli::command_advise
