// sextant scale: how many machines keep a growing job in time, and where more stop paying.
#include "sextant/plan/scale.h"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "catalog_option.h"
#include "kinds.h"
#include "plan_args.h"
#include "progress.h"
#include "sextant/cli/run.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/report/advice_report.h"

namespace sextant {
namespace {

struct ScaleArgs {
  PlanArgs plan;
  std::string machine;
  std::vector<std::int64_t> samples;
  double epochs = 1;
  std::int64_t most = ScaleRequest{}.most;
  double efficiency = ScaleRequest{}.least_efficiency;
  bool curve = false;
};

ScaleRequest request_of(const ScaleArgs& args, const Catalog& catalog) {
  ScaleRequest request{.machine = catalog.machines.get(args.machine, {"--machine"}).id,
                       .samples = args.samples,
                       .most = args.most,
                       .least_efficiency = args.efficiency};
  if (args.plan.deadline) request.deadline = parse_deadline(*args.plan.deadline, {"--deadline"});
  return request;
}

// A size that no number of machines gets done in time makes the answer infeasible.
int judge(const ScaleAnswer& answer, const ScaleRequest& request, const Io& io) {
  int code = kDone;
  for (const ScaleCurve& curve : answer.curves) {
    if (curve.points.empty()) {
      warn(io, "nothing fits: " + refusals_text(answer.refusals));
      return kInfeasible;
    }
    if (!request.deadline || curve.enough) continue;
    const Offer& best = curve.points[curve.fastest].offer;
    warn(io, std::to_string(curve.samples) + " samples: deadline is the tightest constraint; " +
                 std::to_string(best.machines) + " machines are the fastest of " +
                 std::to_string(request.most) + " and take " + human(best.time) + " against " +
                 human(*request.deadline));
    code = kInfeasible;
  }
  return code;
}

int run_scale(const ScaleArgs& args, const Io& io, const Globals& globals) {
  const Catalog catalog = open_catalog(io, globals);
  const ScaleRequest request = request_of(args, catalog);
  const Network network = find_network(args.plan.job.network.net, {"NET"});
  const auto predictor = make_predictor(args.plan.job, catalog);
  Training training = training_of(args.plan, catalog, network, *predictor);
  training.job.duration = Duration{args.epochs, args.samples.front()};
  const ScaleAnswer answer = scale(training, market_of(args.plan, catalog), request, *progress_on(io));
  write_table(io, globals, args.curve ? curve_table(answer) : scale_table(answer, request));
  return judge(answer, request, io);
}

std::vector<Option> scale_options(ScaleArgs& a) {
  std::vector<Option> options = plan_options(a.plan);
  const std::vector<Option> own = {
      {.name = "machine",
       .summary = "machine type",
       .target = &a.machine,
       .value_name = "M",
       .required = true,
       .names = machine_names},
      {.name = "samples",
       .summary = "sizes of the data set",
       .target = &a.samples,
       .value_name = "LIST",
       .required = true,
       .low = 1,
       .high = 1e12},
      {.name = "epochs",
       .summary = "passes over the data set",
       .target = &a.epochs,
       .value_name = "E",
       .low = 1e-6,
       .high = 1e6},
      {.name = "most",
       .summary = "machines to look at",
       .target = &a.most,
       .value_name = "N",
       .low = 1,
       .high = 10'000},
      {.name = "efficiency",
       .summary = "share of what the first machine does that a further one has to add",
       .target = &a.efficiency,
       .value_name = "S",
       .low = 0,
       .high = 1},
      {.name = "curve", .summary = "every number of machines", .target = &a.curve}};
  options.insert(options.end(), own.begin(), own.end());
  return options;
}

}  // namespace

std::vector<Command> command_scale() {
  const auto args = std::make_shared<ScaleArgs>();
  return {{.path = "scale",
           .summary = "how many machines keep a growing job in time, and where more stop paying",
           .details =
               "For each size of the data set: the fewest machines of a type that end by the deadline, the "
               "last that still pays,\nand the number that is fastest. Exit code 3 where none ends in time.",
           .examples = {"sextant scale resnet50 --machine aws/p3.2xlarge --deadline '12 h' --epochs 90 "
                        "--samples 100000,200000,400000",
                        "sextant scale resnet50 --machine aws/p3.16xlarge --samples 1281167 --curve"},
           .options = scale_options(*args),
           .run = [args](const Io& io, const Globals& globals) { return run_scale(*args, io, globals); }}};
}

}  // namespace sextant
