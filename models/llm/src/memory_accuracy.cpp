#include "sextant/llm/memory_accuracy.h"

#include <algorithm>
#include <cmath>

#include "memory_rows.h"
#include "sextant/stats/quantiles.h"

namespace sextant::llm {
namespace {

constexpr double kBytesOfGib = 1073741824;
constexpr double kLeastWidth = 0.02;  // of an interval in the logarithm

struct JudgedMemory {
  std::string group;
  double predicted = 0;
  double measured = 0;
  [[nodiscard]] double log_error() const { return std::abs(std::log(predicted / measured)); }
};

// Nothing of the counts is fitted; the width of the interval is, to the networks that are not left out.
stats::AccuracyLine judged_line(stats::AccuracyLine line, const std::vector<JudgedMemory>& rows) {
  for (const JudgedMemory& row : rows) {
    std::vector<double> others;
    for (const JudgedMemory& other : rows) {
      if (other.group != row.group) others.push_back(other.log_error());
    }
    const double width =
        others.empty() ? kLeastWidth : std::max(kLeastWidth, stats::sample_quantile(others, 0.9));
    line.cases.push_back({.group = row.group,
                          .mode = "train",
                          .error = std::abs(row.predicted / row.measured - 1),
                          .covered = row.log_error() <= width,
                          .half_width = std::sinh(width)});
  }
  return line;
}

stats::AccuracyLine megatron_line(const std::string& folder, const catalog::Catalog& catalog) {
  std::vector<JudgedMemory> judged;
  for (PartsRow& row : read_parts_rows(folder, catalog)) {
    const TrainingMemory memory = training_memory(row.question, Bytes{});
    const double gib = memory.activations.value / kBytesOfGib;
    if (row.state_gib) judged.push_back({row.group, memory.state().value / kBytesOfGib, *row.state_gib});
    if (row.activations_gib) judged.push_back({row.group, gib, *row.activations_gib});
    if (!row.percent_of_none) continue;
    row.question.at.layout.recompute = Recompute::none;
    row.question.at.layout.sequence_parallel = false;
    const double none = training_memory(row.question, Bytes{}).activations.value / kBytesOfGib;
    judged.push_back({row.group, 100 * gib / none, *row.percent_of_none});
  }
  return judged_line({"LLM memory, Megatron (state and activations)", "a whole network", 0.08}, judged);
}

stats::AccuracyLine steps_line(const std::vector<MemoryRow>& rows) {
  std::vector<JudgedMemory> judged;
  for (const MemoryRow& row : rows) {
    if (!row.measured) continue;
    const TrainingMemory memory = training_memory(row.question, row.capacity);
    judged.push_back({row.group, memory.total().value, row.measured->value});
  }
  return judged_line({"LLM memory, steps and MLPerf", "a whole network", 0.12}, judged);
}

stats::AccuracyLine finetune_line(const std::vector<MemoryRow>& rows) {
  std::vector<JudgedMemory> judged;
  for (const MemoryRow& row : rows) {
    if (!row.measured) continue;
    const TrainingMemory memory = training_memory(row.question, row.capacity);
    judged.push_back({row.group, memory.allocated().value, row.measured->value});
  }
  return judged_line({"LLM memory, fine-tuning (litgpt)", "a whole network", 0.08}, judged);
}

// The error of a verdict is none or whole, so that the mean is the share of wrong ones.
stats::AccuracyLine verdict_line(stats::AccuracyLine line, const std::vector<MemoryRow>& rows) {
  line.intervals = false;
  for (const MemoryRow& row : rows) {
    const TrainingMemory memory = training_memory(row.question, row.capacity);
    const bool refused = memory_verdict(memory, row.capacity).fit == Fit::does_not_fit;
    const bool wrong = refused != row.out_of_memory;
    line.cases.push_back(
        {.group = row.group, .mode = "train", .error = wrong ? 1.0 : 0.0, .covered = !wrong});
  }
  return line;
}

}  // namespace

std::vector<stats::AccuracyLine> memory_accuracy(const std::string& data_folder,
                                                 const catalog::Catalog& catalog, Progress& progress) {
  const std::string folder = data_folder + "/llm-training";
  const auto ran = read_ran_rows(folder, catalog);
  const auto tuned = read_finetune_rows(folder, catalog);
  std::vector<stats::AccuracyLine> lines;
  lines.push_back(megatron_line(folder, catalog));
  lines.push_back(steps_line(ran));
  lines.push_back(finetune_line(tuned));
  lines.push_back(
      verdict_line({"LLM runs that ran: share called not to fit", "nothing is fitted", 0.02}, ran));
  lines.push_back(
      verdict_line({"LLM fine-tuning: share of wrong verdicts", "nothing is fitted", 0.05}, tuned));
  progress.step(1, 1, "memory of large language models");
  return lines;
}

}  // namespace sextant::llm
