// Tables of measured memory, and of runs that ran, as questions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/llm/memory.h"

namespace sextant::llm {

struct MemoryRow {
  std::string group;  // the network
  MemoryQuestion question;
  Bytes capacity;
  std::optional<Bytes> measured = {};
  bool out_of_memory = false;
};

// steps.csv, steps_vtrain.csv and mlperf.csv. A layout that mlperf does not state is the one with the fewest
// tensor and pipeline ranks that fits.
std::vector<MemoryRow> read_ran_rows(const std::string& folder, const catalog::Catalog& catalog);
// finetune_memory.csv.
std::vector<MemoryRow> read_finetune_rows(const std::string& folder, const catalog::Catalog& catalog);

// memory_megatron.csv: parts of the memory, or activations relative to those without recomputation.
struct PartsRow {
  MemoryQuestion question;
  std::string group;
  std::optional<double> state_gib, activations_gib, percent_of_none;
};
std::vector<PartsRow> read_parts_rows(const std::string& folder, const catalog::Catalog& catalog);

}  // namespace sextant::llm
