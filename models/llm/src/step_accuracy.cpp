// Whole groups left out of the fit, everything fitted again without them.
#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "sextant/llm/step_fit.h"
#include "step_problem.h"

namespace sextant::llm {
namespace {

struct LineOfSteps {
  const char* data;
  const char* left_out;
  double target;
  bool (*among)(const MeasuredStep&);
  std::string (*group)(const MeasuredStep&);
};

bool is_from(const MeasuredStep& step, const char* source) {
  return step.source == source;
}
bool is_mlperf(const MeasuredStep& step) {
  return step.source.starts_with("mlperf-");
}
bool is_bridge(const MeasuredStep& step, bool experts) {
  return is_from(step, "megatron-bridge") && (step.at.model.experts > 0) == experts;
}
std::string model_name(const MeasuredStep& step) {
  return step.at.model.name;
}
std::string gpu_name(const MeasuredStep& step) {
  return step.at.gpu.id;
}
std::string gpu_count(const MeasuredStep& step) {
  return std::to_string(step.at.gpus);
}

const std::vector<LineOfSteps>& lines_of_steps() {
  static const std::vector<LineOfSteps> lines = {
      {"Decoders, llm-foundry", "a model size", 0.08,
       [](const MeasuredStep& s) { return is_from(s, "llm-foundry"); }, model_name},
      {"Decoders, llm-foundry", "a GPU count", 0.06,
       [](const MeasuredStep& s) { return is_from(s, "llm-foundry"); }, gpu_count},
      {"Decoders, vTrain, one node", "a model", 0.08,
       [](const MeasuredStep& s) { return is_from(s, "vtrain-single"); }, model_name},
      {"Decoders, vTrain, 64 to 512 GPUs", "a model", 0.09,
       [](const MeasuredStep& s) { return is_from(s, "vtrain-multi"); }, model_name},
      {"Decoders, Megatron-Bridge, dense", "a model", 0.09,
       [](const MeasuredStep& s) { return is_bridge(s, false); }, model_name},
      {"Decoders, Megatron-Bridge, experts", "a model", 0.20,
       [](const MeasuredStep& s) { return is_bridge(s, true); }, model_name},
      {"Decoders, all but vTrain", "a GPU type", 0.20,
       [](const MeasuredStep& s) { return !s.source.starts_with("vtrain"); }, gpu_name},
      {"Decoders, MLPerf", "a GPU count of a benchmark", 0.12, is_mlperf,
       [](const MeasuredStep& s) { return s.source + " " + gpu_count(s); }}};
  return lines;
}

stats::AccuracyLine::Case judged_step(const StepTime& time, const MeasuredStep& measured,
                                      const std::string& group) {
  return {.group = group,
          .mode = "train",
          .error = std::abs(time.step.value - measured.step.value) / measured.step.value,
          .covered = time.low <= measured.step && measured.step <= time.high,
          .half_width = (time.high - time.low).value / (2 * time.step.value)};
}

struct StepFolds {
  const std::vector<MeasuredStep>& steps;
  const StepProblem problem;
  const std::vector<double> start;  // fitted to all rows: folds begin there and end at their own optimum
};

stats::AccuracyLine judge_line(const LineOfSteps& what, const StepFolds& folds, Progress& progress) {
  stats::AccuracyLine line{what.data, what.left_out, what.target};
  std::set<std::string> groups;
  for (const auto& step : folds.steps) {
    if (what.among(step)) groups.insert(what.group(step));
  }
  std::int64_t done = 0;
  for (const std::string& group : groups) {
    progress.step(done++, static_cast<std::int64_t>(groups.size()),
                  std::string(what.data) + " without " + group);
    std::vector<std::size_t> kept;
    std::vector<std::size_t> asked;
    for (std::size_t i = 0; i < folds.steps.size(); ++i) {
      const bool out = what.among(folds.steps[i]) && what.group(folds.steps[i]) == group;
      (out ? asked : kept).push_back(i);
    }
    const StepModel model = model_of(folds.problem, kept, solve_steps(folds.problem, kept, folds.start));
    StepPredictor predictor(model);
    for (const std::size_t i : asked)
      line.cases.push_back(judged_step(predictor.predict(folds.steps[i].at), folds.steps[i], group));
  }
  return line;
}

}  // namespace

std::vector<stats::AccuracyLine> step_accuracy(const std::string& data_folder,
                                               const catalog::Catalog& catalog, Progress& progress) {
  const auto steps = read_measured_steps(data_folder, catalog);
  StepProblem problem = make_problem(steps);
  std::vector<std::size_t> all(steps.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  auto start = solve_steps(problem, all, start_of(problem));
  const StepFolds folds{steps, std::move(problem), std::move(start)};
  std::vector<stats::AccuracyLine> lines;
  for (const auto& what : lines_of_steps()) lines.push_back(judge_line(what, folds, progress));
  return lines;
}

}  // namespace sextant::llm
