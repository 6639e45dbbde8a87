// Static batches of published tables.
#include <cmath>
#include <filesystem>

#include "generation_law.h"
#include "sextant/core/csv.h"
#include "sextant/core/error.h"
#include "sextant/nets/network.h"

namespace sextant::llm {
namespace {

CsvTable serving_table(const std::string& data_folder, const char* name) {
  const std::string path = data_folder + "/llm-serving/" + name;
  if (!std::filesystem::exists(path))
    throw InputError({path}, "there are no measured batches", "`data` is the folder that holds llm-serving");
  return CsvTable::read_file(path);
}

// Nothing where the network or the device is not known.
std::optional<GenerationCase> case_of_row(const CsvTable& table, std::size_t row,
                                          const catalog::Catalog& catalog) {
  const nets::Network* network = nets::zoo().find(table.text(row, table.column("model")));
  const catalog::Gpu* gpu = catalog.gpus.find(table.text(row, table.column("gpu")));
  if (network == nullptr || !network->decoder || gpu == nullptr) return {};
  GenerationCase at;
  at.model = *network->decoder;
  at.gpu = *gpu;
  at.tensor = table.number(row, table.column("gpus"));
  at.batch = table.number(row, table.column("batch"));
  at.prompt = table.number(row, table.column("input_len"));
  at.generate = table.maybe_number(row, table.column("output_len")).value_or(1);
  return at;
}

void read_static_batches(const CsvTable& table, const catalog::Catalog& catalog,
                         std::vector<TimedGeneration>& out) {
  for (std::size_t row = 0; row < table.rows(); ++row) {
    auto at = case_of_row(table, row, catalog);
    if (!at) continue;
    at->engine = table.text(row, table.column("framework"));
    at->release = "llm-inference-bench";
    // It gives each GPU layers of its own, one after the other.
    if (at->engine == "llama.cpp" && at->tensor > 1) continue;
    out.push_back({.at = *at, .seconds = table.number(row, table.column("latency_s"))});
  }
}

// 8-bit rows keep the cache in 8 bits too.
void read_engine_tables(const CsvTable& table, const catalog::Catalog& catalog,
                        std::vector<TimedGeneration>& out) {
  for (std::size_t row = 0; row < table.rows(); ++row) {
    auto at = case_of_row(table, row, catalog);
    if (!at) continue;
    at->engine = "tensorrt-llm";
    at->release = table.text(row, table.column("version"));
    if (table.text(row, table.column("precision")) == "fp8") {
      at->weights = WeightFormat::fp8;
      at->fp8_cache = true;
    }
    const auto first = table.maybe_number(row, table.column("first_token_ms"));
    const auto rate = table.maybe_number(row, table.column("output_tokens_per_s"));
    if (first) out.push_back({.at = *at, .seconds = 1e-3 * *first, .first_token = true});
    if (rate) out.push_back({.at = *at, .seconds = at->batch * at->generate / *rate});
  }
}

}  // namespace

std::vector<TimedGeneration> read_timed_generations(const std::string& data_folder,
                                                    const catalog::Catalog& catalog) {
  std::vector<TimedGeneration> rows;
  read_static_batches(serving_table(data_folder, "static_batches.csv"), catalog, rows);
  read_engine_tables(serving_table(data_folder, "trtllm_static.csv"), catalog, rows);
  return rows;
}

}  // namespace sextant::llm
