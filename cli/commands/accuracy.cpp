// sextant accuracy: the error of the kernel model on devices, networks and batches that it has not seen.
#include "sextant/scaling/accuracy.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "catalog_option.h"
#include "output_file.h"
#include "progress.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/collectives/calibration_fit.h"
#include "sextant/predict/recipe.h"
#include "sextant/report/stack_report.h"

namespace sextant {
namespace {

struct AccuracyArgs {
  std::string data;
  std::optional<std::string> out;
};

// A data set with its rows, which the questions point into.
struct Study {
  Recipe recipe;
  std::vector<Observation> rows;

  Study(const std::string& name, const std::string& folder, const Catalog& catalog)
      : recipe(find_recipe(name)), rows(read_observations(recipe, folder, catalog)) {}

  [[nodiscard]] AccuracyQuestion question(const std::string& data) const {
    AccuracyQuestion q{.data = data, .stack = recipe.stack, .traits = recipe.traits, .rows = {}};
    for (const auto& row : rows) q.rows.push_back(&row);
    return q;
  }
};

AccuracyLine with_target(AccuracyLine line, double target) {
  line.target = target;
  return line;
}

std::vector<AccuracyLine> all_lines(const std::string& folder, const Catalog& catalog, Progress& progress) {
  std::vector<AccuracyLine> lines;
  const Study profet("tensorflow-2.5", folder, catalog);
  const auto tensorflow = profet.question("TensorFlow 2.5 (PROFET)");
  lines.push_back(with_target(leave_out(tensorflow, Leave::gpu, progress), 0.18));
  lines.push_back(with_target(leave_out_and_anchor(tensorflow, {.count = 8}, progress), 0.09));
  lines.push_back(with_target(leave_out(tensorflow, Leave::net, progress), 0.10));
  lines.push_back(with_target(extrapolate_batch(tensorflow, 128, progress), 0.05));
  const Study benchmark("pytorch-1.x", folder, catalog);
  const auto pytorch = benchmark.question("PyTorch 1.x (pytorch-gpu-benchmark)");
  lines.push_back(with_target(leave_out(pytorch, Leave::gpu, progress), 0.14));
  lines.push_back(with_target(leave_out_and_anchor(pytorch, {.count = 3, .networks = true}, progress), 0.09));
  lines.push_back(with_target(leave_out(pytorch, Leave::net, progress), 0.08));
  const Study neusight("pytorch-2.1", folder, catalog);
  const auto transformers = leave_out(neusight.question("PyTorch 2.1 (NeuSight)"), Leave::gpu, progress);
  lines.push_back(with_target(only_mode(transformers, "train"), 0.11));
  lines.push_back(with_target(only_mode(transformers, "infer"), 0.09));
  for (auto& line : collective_accuracy(folder, catalog, progress)) lines.push_back(std::move(line));
  for (auto& line : scaling_accuracy(folder, progress)) lines.push_back(std::move(line));
  return lines;
}

int accuracy(const AccuracyArgs& args, const Io& io, const Globals& globals) {
  std::optional<OutputFile> out;
  if (args.out) out.emplace(*args.out);
  const Catalog catalog = open_catalog(io, globals);
  const auto lines = all_lines(args.data, catalog, *progress_on(io));
  if (out) {
    out->stream() << accuracy_page(lines);
    out->commit();
  }
  write_table(io, globals, accuracy_table(lines));
  return kDone;
}

}  // namespace

std::vector<Command> command_accuracy() {
  const auto args = std::make_shared<AccuracyArgs>();
  return {
      {.path = "accuracy",
       .summary = "error of the models on devices, networks, placements and systems left out of their fit",
       .details = "Reads the measured tables that the models were made of, fits without each part in turn, "
                  "and compares. Takes a few minutes.",
       .examples = {"sextant accuracy --data ../shared/data --out docs/accuracy.md"},
       .options = {{.name = "data",
                    .summary = "folder with the measured tables",
                    .target = &args->data,
                    .value_name = "DIR",
                    .required = true},
                   {.name = "out",
                    .summary = "the page to write, in Markdown",
                    .target = &args->out,
                    .value_name = "FILE"}},
       .run = [args](const Io& io, const Globals& globals) { return accuracy(*args, io, globals); }}};
}

}  // namespace sextant
