// sextant net summary NET: what a network costs, operator by operator.
#include <memory>
#include <ostream>

#include "network_options.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/core/precision.h"
#include "sextant/report/net_report.h"

namespace sextant::cli::command_net {
namespace {

struct SummaryArgs {
  ask::NetSummaryQuestion question;
  bool totals = false;
  bool dot = false;
};

int summarize(const SummaryArgs& args, const Io& io, const Globals& globals) {
  const ask::NetSummary summary = summarize_net(args.question);
  for (const auto& warning : summary.warnings) warn(io, warning);
  if (args.dot) {
    io.out << report::to_dot(summary.graph);
    return kDone;
  }
  report::Result result = report::net_result(summary);
  write_result(io, globals, args.totals ? only(std::move(result), report::kNetTotals) : result);
  return kDone;
}

}  // namespace

std::vector<Command> plugin() {
  const auto args = std::make_shared<SummaryArgs>();
  std::vector<Option> options = grouped("Sizes of the network", network_options(args->question.net));
  options.insert(
      options.end(),
      {{.name = "batch",
        .summary = "samples in a step",
        .target = &args->question.batch,
        .value_name = "N",
        .low = 1},
       {.name = "precision",
        .summary = "number format of the tensors",
        .target = &args->question.precision,
        .value_name = "P",
        .choices = precision_names()},
       {.name = "totals", .summary = "show the totals only", .target = &args->totals},
       {.name = "dot", .summary = "write the graph for Graphviz instead of a table", .target = &args->dot}});
  return {{.path = "net summary",
           .wish = Wish::plan,
           .summary = "what a network costs: shapes, parameters, MACs, FLOPs and bytes of every operator",
           .details = "NET is a network of the zoo ('sextant list nets') or the path of an ONNX file.",
           .examples = {"sextant net summary resnet50 --batch 32 --totals",
                        "sextant net summary model.onnx --json",
                        "sextant net summary lenet5 --dot | dot -Tsvg > lenet5.svg"},
           .options = std::move(options),
           .run = [args](const Io& io, const Globals& globals) { return summarize(*args, io, globals); }}};
}

}  // namespace sextant::cli::command_net
