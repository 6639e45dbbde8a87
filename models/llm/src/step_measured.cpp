// Measured steps from the tables, with the time in the form that each source states it.
#include <algorithm>
#include <filesystem>

#include "sextant/core/error.h"
#include "sextant/llm/step_fit.h"
#include "sextant/llm/step_rows.h"

namespace sextant::llm {
namespace {

std::optional<double> cell_number(const CsvTable& table, std::size_t row, const char* name) {
  const auto column = table.find_column(name);
  return column ? table.maybe_number(row, *column) : std::nullopt;
}

// FLOP of a token in the sources that state TFLOP/s or MFU: pairs of attention counted once (causal) or
// twice.
double stated_flops(const StepCase& step, double pairs) {
  const nets::Decoder& d = step.model;
  const auto active = static_cast<double>(nets::active_parameters(d).total());
  return 6 * active + pairs * static_cast<double>(d.layers * d.heads * d.head_dim * step.sequence);
}

std::optional<double> seconds_of(const CsvTable& table, std::size_t row, const StepCase& step) {
  constexpr double kCausal = 6;
  constexpr double kAllPairs = 12;
  constexpr double kTera = 1e12;
  constexpr double kHopperPeak = 989e12;  // FLOP/s; the source that states MFU alone uses it
  constexpr double kDisagree = 2;
  const auto stated = cell_number(table, row, "step_s");
  const auto logged = cell_number(table, row, "logged_step_s");
  // Some rates of samples in the logs leave out most of the work: no device is so fast.
  if (stated && logged && (*logged > kDisagree * *stated || *stated > kDisagree * *logged)) return logged;
  if (stated) return stated;
  const double tokens = step.tokens() / static_cast<double>(step.gpus);
  if (const auto rate = cell_number(table, row, "tokens_per_s_per_gpu")) return tokens / *rate;
  if (const auto rate = cell_number(table, row, "model_tflops_per_gpu"))
    return tokens * stated_flops(step, kCausal) / (*rate * kTera);
  if (const auto share = cell_number(table, row, "mfu_percent"))
    return tokens * stated_flops(step, kAllPairs) / (*share / 100 * kHopperPeak);
  return {};
}

void read_table(const std::string& path, const catalog::Catalog& catalog, std::vector<MeasuredStep>& out) {
  if (!std::filesystem::exists(path))
    throw InputError({path}, "there are no measured steps", "`data` is the folder that holds llm-training");
  const CsvTable table = CsvTable::read_file(path);
  const bool mlperf = is_mlperf_table(table);
  StepTable steps(table, catalog);
  const std::size_t source = table.column(mlperf ? "benchmark" : "source");
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!steps.knows(row)) continue;
    MeasuredStep step{steps.step(row), {}, (mlperf ? "mlperf-" : "") + table.text(row, source)};
    // Steps of networks with states moved the coefficients of all others: they have kernels that the law
    // lacks.
    if (step.at.model.layers_with(nets::LayerAttention::mamba) > 0) continue;
    const auto seconds = seconds_of(table, row, step.at);
    if (!seconds || !(*seconds > 0)) continue;
    step.step = Seconds{*seconds};
    out.push_back(std::move(step));
  }
}

}  // namespace

std::vector<MeasuredStep> read_measured_steps(const std::string& data_folder,
                                              const catalog::Catalog& catalog) {
  std::vector<MeasuredStep> steps;
  for (const char* name : {"steps.csv", "steps_vtrain.csv", "mlperf.csv"})
    read_table(data_folder + "/llm-training/" + name, catalog, steps);
  return steps;
}

}  // namespace sextant::llm
