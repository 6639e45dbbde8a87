// Models from measured rows: a regression on columns, or one of the models that know what the columns mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/collectives/calibration.h"
#include "sextant/core/progress.h"
#include "sextant/learn/fit.h"
#include "sextant/llm/generation.h"
#include "sextant/llm/kernels.h"
#include "sextant/llm/step_model.h"
#include "sextant/predict/stack.h"
#include "sextant/scaling/model.h"

namespace sextant::ask {

// Methods that stand alone: models of their own, which are no regressions on columns.
inline constexpr const char* kKernelMethod = "kernel";
inline constexpr const char* kCollectiveMethod = "collective";
inline constexpr const char* kScalingMethod = "scaling";
inline constexpr const char* kLlmStepsMethod = "llm-steps";
inline constexpr const char* kLlmKernelsMethod = "llm-kernels";
inline constexpr const char* kLlmGenerationMethod = "llm-generation";

struct FitQuestion {
  std::vector<std::string> data =
      {};                     // CSV files with the same columns; of a recipe and of llm methods, one folder
  std::string response = {};  // the column to predict; kernel: measured_s if empty
  std::vector<std::string> features = {"all"};
  std::vector<std::string> methods = {"auto"};
  std::vector<std::string> set = {};  // parameters taken out of the search, as "degree=2"
  std::string validate = "kfold:5";
  std::int64_t seed = 0;
  std::int64_t threads = 0;  // at most so many; 0: all
  // Of the method kernel alone:
  std::optional<std::string> recipe = {};  // how files below `data` become timed steps: a name or a file
  std::optional<std::string> stack = {};   // name of the stack that is fitted
  std::optional<std::string> start = {};   // stack to start from: a name or a file
  std::vector<std::string> map = {};       // columns of an export of runs: "batch=params.batch_size"
};

enum class FitKind { regression, kernel, collective, scaling, llm_steps, llm_kernels, llm_generation };
// Which of the calls below answers the question. InputError for fields that contradict each other.
FitKind kind_of(const FitQuestion& question);

learn::FitReport fit_regression(const FitQuestion& question, Progress& progress);

struct KernelFit {
  predict::Stack stack;
  std::size_t gpus = 0;   // that were timed
  std::size_t nets = 0;   //
  double mean_error = 0;  // relative, on the rows of the fit
};
KernelFit fit_kernel(const FitQuestion& question, const catalog::Catalog& catalog, Progress& progress);

collectives::Calibration fit_collective(const FitQuestion& question, const catalog::Catalog& catalog,
                                        Progress& progress);
scaling::ScalingModel fit_scaling_law(const FitQuestion& question, Progress& progress);
llm::StepModel fit_llm_steps(const FitQuestion& question, const catalog::Catalog& catalog);
llm::GenerationModel fit_llm_generation(const FitQuestion& question, const catalog::Catalog& catalog);
llm::KernelModel fit_llm_kernels(const FitQuestion& question, const catalog::Catalog& catalog,
                                 Progress& progress);

}  // namespace sextant::ask
