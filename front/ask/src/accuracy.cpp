#include "sextant/ask/accuracy.h"

#include "plan_accuracy.h"
#include "sextant/collectives/calibration_fit.h"
#include "sextant/llm/generation_fit.h"
#include "sextant/llm/kernel_fit.h"
#include "sextant/llm/memory_accuracy.h"
#include "sextant/llm/step_fit.h"
#include "sextant/predict/accuracy.h"
#include "sextant/predict/recipe.h"
#include "sextant/scaling/accuracy.h"

namespace sextant::ask {
namespace {

// A data set with its rows, which the questions point into.
struct MeasuredSet {
  predict::Recipe recipe;
  std::vector<predict::Observation> rows;

  MeasuredSet(const std::string& name, const std::string& folder, const catalog::Catalog& catalog)
      : MeasuredSet(predict::find_recipe(name), folder, catalog) {}
  MeasuredSet(predict::Recipe how, const std::string& folder, const catalog::Catalog& catalog)
      : recipe(std::move(how)), rows(read_observations(recipe, folder, catalog)) {}

  [[nodiscard]] predict::AccuracyRows question(const std::string& data) const {
    predict::AccuracyRows q{.data = data, .stack = recipe.stack, .traits = recipe.traits, .rows = {}};
    for (const auto& row : rows) q.rows.push_back(&row);
    return q;
  }
};

stats::AccuracyLine with_target(stats::AccuracyLine line, double target) {
  line.target = target;
  return line;
}

// A user whose software is not the one that answers: the steps of one recipe, lowered as the other stack
// does.
std::vector<stats::AccuracyLine> carried(const std::string& measured, const std::string& data,
                                         const AccuracyQuestion& question, const catalog::Catalog& catalog) {
  constexpr std::size_t kTimings = 3;
  std::vector<stats::AccuracyLine> lines;
  for (const char* other : {"tensorflow-2.5", "pytorch-1.x", "pytorch-2.1"}) {
    if (other == measured) continue;
    predict::Recipe recipe = predict::find_recipe(measured);
    const predict::Stack& stack = predict::find_stack(other);
    recipe.traits = stack.traits;
    const MeasuredSet set(std::move(recipe), question.data, catalog);
    predict::CarryLines pair = carry_over(set.question(data), stack, kTimings, catalog);
    lines.push_back(std::move(pair.as_is));
    lines.push_back(std::move(pair.carried));
  }
  return lines;
}

}  // namespace

std::vector<stats::AccuracyLine> accuracy(const AccuracyQuestion& question, const catalog::Catalog& catalog,
                                          Progress& progress) {
  const std::string& folder = question.data;
  std::vector<stats::AccuracyLine> lines;
  const MeasuredSet profet("tensorflow-2.5", folder, catalog);
  const auto tensorflow = profet.question("TensorFlow 2.5 (PROFET)");
  lines.push_back(with_target(leave_out(tensorflow, predict::Leave::gpu, progress), 0.18));
  lines.push_back(with_target(leave_out_and_anchor(tensorflow, {.count = 8}, progress), 0.09));
  lines.push_back(with_target(leave_out(tensorflow, predict::Leave::net, progress), 0.10));
  lines.push_back(with_target(extrapolate_batch(tensorflow, 128, progress), 0.05));
  const MeasuredSet benchmark("pytorch-1.x", folder, catalog);
  const auto pytorch = benchmark.question("PyTorch 1.x (pytorch-gpu-benchmark)");
  lines.push_back(with_target(leave_out(pytorch, predict::Leave::gpu, progress), 0.14));
  lines.push_back(with_target(leave_out_and_anchor(pytorch, {.count = 3, .networks = true}, progress), 0.09));
  lines.push_back(with_target(leave_out(pytorch, predict::Leave::net, progress), 0.08));
  const MeasuredSet neusight("pytorch-2.1", folder, catalog);
  const auto transformers =
      leave_out(neusight.question("PyTorch 2.1 (NeuSight)"), predict::Leave::gpu, progress);
  lines.push_back(with_target(predict::only_mode(transformers, "train"), 0.11));
  lines.push_back(with_target(predict::only_mode(transformers, "infer"), 0.09));
  std::ranges::move(carried("tensorflow-2.5", tensorflow.data, question, catalog), std::back_inserter(lines));
  std::ranges::move(carried("pytorch-1.x", pytorch.data, question, catalog), std::back_inserter(lines));
  for (auto& line : collectives::collective_accuracy(folder, catalog, progress))
    lines.push_back(std::move(line));
  for (auto& line : scaling::scaling_accuracy(folder, progress)) lines.push_back(std::move(line));
  lines.push_back(plan_accuracy(folder + "/andreas", catalog, progress));
  for (auto& line : llm::step_accuracy(folder, catalog, progress)) lines.push_back(std::move(line));
  for (auto& line : llm::memory_accuracy(folder, catalog, progress)) lines.push_back(std::move(line));
  for (auto& line : llm::kernel_accuracy(folder, catalog, progress)) lines.push_back(std::move(line));
  for (auto& line : llm::generation_accuracy(folder, catalog, progress)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace sextant::ask
