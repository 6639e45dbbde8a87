#include "sextant/scaling/accuracy.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "sextant/core/csv.h"
#include "sextant/scaling/fit.h"

namespace sextant::scaling {
namespace {

using Rows = std::vector<ScalingRow>;

constexpr ScalingFitOptions kPlain = {.network_error = false};
constexpr int kLargestFitted = 8;  // GPUs; larger placements are left out

stats::AccuracyLine::Case judged(const ScaledStep& step, Seconds measured, const std::string& group) {
  return {.group = group,
          .mode = "train",
          .error = std::abs(step.predicted.value - measured.value) / measured.value,
          .covered = step.low <= measured && measured <= step.high,
          .half_width = (step.high - step.low).value / (2 * step.predicted.value)};
}

stats::AccuracyLine more_gpus(const Rows& rows, Progress& progress) {
  stats::AccuracyLine line{"Sia placements", "rows with more than 8 GPUs", 0.10};
  Rows fitted;
  std::ranges::copy_if(rows, std::back_inserter(fitted),
                       [](const auto& row) { return row.at.placement.total() <= kLargestFitted; });
  const ScalingModel model = fit_scaling(fitted, kPlain, progress);
  for (const auto& row : rows) {
    if (row.at.placement.total() > kLargestFitted)
      line.cases.push_back(judged(predict_step(model, row.at), row.step, row.at.net));
  }
  return line;
}

stats::AccuracyLine new_network(const Rows& rows, Progress& progress) {
  stats::AccuracyLine line{"Sia placements", "a network, but for its one-GPU steps", 0.18};
  std::set<std::string> nets;
  for (const auto& row : rows) nets.insert(row.at.net);
  for (const std::string& net : nets) {
    Rows others;
    Rows single;
    std::set<std::string> clusters;  // with one-GPU steps of the network: only there can it be asked about
    for (const auto& row : rows) {
      if (row.at.net != net) others.push_back(row);
      if (row.at.net != net || row.at.placement.total() > 1) continue;
      single.push_back(row);
      clusters.insert(row.at.cluster);
    }
    const ScalingModel model = adapt_scaling(fit_scaling(others, kPlain, progress), single);
    for (const auto& row : rows) {
      if (row.at.net == net && row.at.placement.total() > 1 && clusters.contains(row.at.cluster))
        line.cases.push_back(judged(predict_step(model, row.at), row.step, net));
    }
  }
  return line;
}

std::string gpu_of(const std::string& cluster) {
  return cluster.substr(0, cluster.find('/'));
}

// A host that was never timed is taken for the middle one of those with its GPU.
ScaledStep answer(const ScalingModel& model, ScalingQuestion question) {
  if (model.clusters.contains(question.cluster)) return predict_step(model, question);
  std::vector<ScaledStep> steps;
  const std::string gpu = gpu_of(question.cluster);
  for (const auto& [name, cluster] : model.clusters) {
    if (gpu_of(name) != gpu || !model.cells.contains({question.net, name})) continue;
    question.cluster = name;
    steps.push_back(predict_step(model, question));
  }
  if (steps.empty()) return predict_step(model, question);
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::ranges::nth_element(steps, middle, {}, &ScaledStep::predicted);
  return *middle;
}

stats::AccuracyLine eight_gpus(const Rows& rows, Progress& progress) {
  stats::AccuracyLine line{"Lambda throughput", "rows with 8 GPUs", 0.08};
  Rows fitted;
  std::ranges::copy_if(rows, std::back_inserter(fitted),
                       [](const auto& row) { return row.at.placement.total() < 8; });
  const ScalingModel model = fit_scaling(fitted, kPlain, progress);
  for (const auto& row : rows) {
    if (row.at.placement.total() < 8) continue;
    const ScaledStep step = answer(model, row.at);
    auto judgement = judged(step, row.step, row.at.net);
    judgement.error = std::abs(row.step.value / step.predicted.value - 1);  // of the throughput
    line.cases.push_back(judgement);
  }
  return line;
}

// One for each network that was timed, in the order of their names.
std::vector<std::string> sia_tables(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("sia_") && name.ends_with(".csv")) files.push_back(entry.path().string());
  }
  if (files.empty()) throw InputError({folder + "sia_*.csv"}, "there are no such tables");
  std::ranges::sort(files);
  return files;
}

}  // namespace

std::vector<stats::AccuracyLine> scaling_accuracy(const std::string& data_folder, Progress& progress) {
  const std::string folder = data_folder + "/scaling/";
  Rows placements;
  for (const std::string& file : sia_tables(folder)) {
    const Rows rows = read_scaling_rows(CsvTable::read_file(file));
    placements.insert(placements.end(), rows.begin(), rows.end());
  }
  const Rows rates = read_scaling_rows(CsvTable::read_file(folder + "lambda_pytorch_throughput.csv"));
  return {more_gpus(placements, progress), new_network(placements, progress), eight_gpus(rates, progress)};
}

}  // namespace sextant::scaling
