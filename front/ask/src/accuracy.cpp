#include "sextant/ask/accuracy.h"

#include <algorithm>
#include <functional>

#include "plan_accuracy.h"
#include "sextant/collectives/calibration_fit.h"
#include "sextant/core/text.h"
#include "sextant/failures/accuracy.h"
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

using Lines = std::vector<stats::AccuracyLine>;

// Lines that are measured together, by a name in which users look for them.
struct Part {
  std::string name;
  std::function<Lines()> measure;
};

using Line = std::function<stats::AccuracyLine(const predict::AccuracyRows&)>;

// Lines of the kernel model; the measured steps are read when the first is asked for.
class StepParts {
 public:
  StepParts(std::string recipe, std::string data, const AccuracyQuestion& question,
            const catalog::Catalog& catalog)
      : recipe_(std::move(recipe)), data_(std::move(data)), question_(question), catalog_(catalog) {}

  // The stack whose coefficients its fits start from.
  StepParts& start_from(const std::string& stack) {
    options_.fit.start = predict::find_stack(stack).shared.coefficients;
    return *this;
  }

  void add(std::vector<Part>& parts, const std::string& left_out, std::optional<double> target,
           const Line& line) {
    parts.push_back({data_ + ", " + left_out, [this, line, target] {
                       if (!set_) set_.emplace(recipe_, question_.data, catalog_);
                       predict::AccuracyRows rows = set_->question(data_);
                       rows.options = options_;
                       stats::AccuracyLine measured = line(rows);
                       measured.target = target;
                       return Lines{std::move(measured)};
                     }});
  }

 private:
  std::string recipe_;
  std::string data_;
  const AccuracyQuestion& question_;
  const catalog::Catalog& catalog_;
  predict::StackFitOptions options_ = {};
  std::optional<MeasuredSet> set_ = {};
};

bool wanted(const AccuracyQuestion& question, const Part& part) {
  return !question.only || to_lower(part.name).find(to_lower(*question.only)) != std::string::npos;
}

Lines measure(const AccuracyQuestion& question, const std::vector<Part>& parts) {
  Lines lines;
  std::vector<std::string> names;
  for (const Part& part : parts) {
    names.push_back(part.name);
    if (wanted(question, part)) std::ranges::move(part.measure(), std::back_inserter(lines));
  }
  if (lines.empty())
    throw InputError(at_field("only"), "no line is about '" + question.only.value_or("") + "'",
                     "the lines are: " + join(names, "; "));
  return lines;
}

constexpr const char* kProfet = "TensorFlow 2.5 (PROFET)";
constexpr const char* kBenchmark = "PyTorch 1.x (pytorch-gpu-benchmark)";

struct KernelParts {
  KernelParts(const AccuracyQuestion& question, const catalog::Catalog& catalog)
      : tensorflow("tensorflow-2.5", kProfet, question, catalog),
        pytorch("pytorch-1.x", kBenchmark, question, catalog),
        transformers("pytorch-2.1", "PyTorch 2.1 (NeuSight)", question, catalog),
        mixed("pytorch-2.x", "PyTorch 2.x, mixed precision (timm, NVIDIA)", question, catalog) {
    mixed.start_from("pytorch-1.x");
  }

  StepParts tensorflow, pytorch, transformers, mixed;
};

void add_kernel_parts(std::vector<Part>& parts, KernelParts& of, Progress& progress) {
  using predict::AccuracyRows;
  using predict::Leave;
  const auto without = [&progress](Leave what) {
    return [&progress, what](const AccuracyRows& rows) { return leave_out(rows, what, progress); };
  };
  const auto anchored = [&progress](const predict::AnchorPlan& plan) {
    return [&progress, plan](const AccuracyRows& rows) { return leave_out_and_anchor(rows, plan, progress); };
  };
  const auto in_mode = [&progress](const std::string& mode) {
    return [&progress, mode](const AccuracyRows& rows) {
      return predict::only_mode(leave_out(rows, Leave::gpu, progress), mode);
    };
  };
  of.tensorflow.add(parts, "a whole GPU", 0.18, without(Leave::gpu));
  of.tensorflow.add(parts, "a whole GPU, after 8 cases timed on it", 0.09, anchored({.count = 8}));
  of.tensorflow.add(parts, "a whole network", 0.10, without(Leave::net));
  of.tensorflow.add(parts, "batches of 128 and more", 0.05,
                    [&progress](const AccuracyRows& rows) { return extrapolate_batch(rows, 128, progress); });
  of.pytorch.add(parts, "a whole GPU", 0.14, without(Leave::gpu));
  of.pytorch.add(parts, "a whole GPU, after 3 networks timed on it", 0.09,
                 anchored({.count = 3, .networks = true}));
  of.pytorch.add(parts, "a whole network", 0.08, without(Leave::net));
  of.transformers.add(parts, "a whole GPU, training", 0.11, in_mode("train"));
  of.transformers.add(parts, "a whole GPU, inference", 0.09, in_mode("infer"));
  of.mixed.add(parts, "a whole GPU", {}, without(Leave::gpu));
  of.mixed.add(parts, "a whole network", {}, without(Leave::net));
}

}  // namespace

std::vector<stats::AccuracyLine> accuracy(const AccuracyQuestion& question, const catalog::Catalog& catalog,
                                          Progress& progress) {
  const std::string& folder = question.data;
  KernelParts kernel(question, catalog);
  std::vector<Part> parts;
  add_kernel_parts(parts, kernel, progress);
  const auto add = [&parts](const std::string& name, std::function<Lines()> lines) {
    parts.push_back({name, std::move(lines)});
  };
  add(std::string(kProfet) + ", answered by another stack",
      [&] { return carried("tensorflow-2.5", kProfet, question, catalog); });
  add(std::string(kBenchmark) + ", answered by another stack",
      [&] { return carried("pytorch-1.x", kBenchmark, question, catalog); });
  add("NCCL collectives (Vidur)",
      [&] { return collectives::collective_accuracy(folder, catalog, progress); });
  add("Sia placements, Lambda throughput", [&] { return scaling::scaling_accuracy(folder, progress); });
  add("cost of online plans (ANDREAS)",
      [&] { return Lines{plan_accuracy(folder + "/andreas", catalog, progress)}; });
  add("goodput under recorded failures", [&] { return failures::goodput_accuracy(folder); });
  add("large language models, steps", [&] { return llm::step_accuracy(folder, catalog, progress); });
  add("large language models, memory", [&] { return llm::memory_accuracy(folder, catalog, progress); });
  add("large language models, kernels", [&] { return llm::kernel_accuracy(folder, catalog, progress); });
  add("large language models, generation",
      [&] { return llm::generation_accuracy(folder, catalog, progress); });
  return measure(question, parts);
}

}  // namespace sextant::ask
