// Many questions in one CSV: a row is a job on a device, and cells that are missing or empty take
// defaults. Equal rows are answered once and each graph is built once, so a long file costs little more
// than reading it. The same columns with a time added are measurements.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/core/csv.h"
#include "sextant/predict/predictor.h"

namespace sextant::predict {

// The columns that are read; any other is somebody else's.
inline constexpr std::array<std::string_view, 15> kCaseColumns = {
    "net",       "gpu",   "count",     "batch", "image",     "seq",      "classes", "mode",
    "precision", "stack", "optimizer", "nodes", "placement", "strategy", "network"};

// What empty and missing cells mean. Image, sequence and classes apply only to networks that have them.
struct CaseDefaults {
  std::string gpu = {};
  jobs::Job job = {};             // its network may be empty
  std::string gpu_field = "gpu";  // that says which GPU
  // What a row that says no precision means, where that depends on the network; else it is that of `job`.
  std::function<Precision(const nets::Network& network, const jobs::Job& job)> usual_precision = {};
};

// Of large language models.
struct TokenRates {
  double per_second_per_gpu = 0;
  double mfu = 0;  // model FLOPs over the peak
};

// Of what a step of a large language model needs.
struct MemoryParts {
  Bytes state;        // weights, gradients, optimizer
  Bytes activations;  // kept for the backward pass
  Bytes allocated;    // at the peak, as frameworks print it: without slack and context
};

struct CaseAnswer {
  Seconds predicted;
  TimeInterval interval;
  Breakdown breakdown;
  std::optional<Bytes> memory = {};  // none: the model says nothing of memory
  bool fits = false;                 // in it
  bool extrapolating = false;
  std::string strategy = {};  // that was chosen, as in Prediction
  std::optional<TokenRates> tokens = {};
  std::optional<MemoryParts> memory_parts = {};
  std::string verdict = {};  // on the memory, where there is more to say than `fits`
  std::string error = {};    // why there is no answer; the rest is then meaningless
};

struct CaseAnswers {
  std::vector<CaseAnswer> distinct;
  std::vector<std::uint32_t> of_row;  // index into distinct

  [[nodiscard]] const CaseAnswer& row(std::size_t row) const { return distinct[of_row[row]]; }
};

struct CaseContext {
  const catalog::Catalog& catalog;
  const Predictor& predictor;
  CaseDefaults defaults = {};
};

// A row that cannot be answered says why; only a table without networks is refused (InputError).
CaseAnswers answer_cases(const CsvTable& table, const CaseContext& context);

// Columns that are nearly, but not quite, one of kCaseColumns, which the table lacks: a line for each.
std::vector<std::string> misspelt_columns(const CsvTable& table);

// The case columns plus `measured_s` or `measured_ms`, above 0. InputError names the cell.
std::vector<Measurement> read_measured(const CsvTable& table, const catalog::Catalog& catalog,
                                       const CaseDefaults& defaults);

}  // namespace sextant::predict
