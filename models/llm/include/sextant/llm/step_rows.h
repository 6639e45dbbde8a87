// Tables of steps: cases as their users write them, with what they leave open filled in as is usual.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/core/csv.h"
#include "sextant/llm/memory.h"
#include "sextant/llm/step_case.h"

namespace sextant::llm {

class RowCells;

// What empty cells of a table of steps mean.
struct StepDefaults {
  std::string gpu = {};  // empty: each row names its own
  Format format = Format::bf16;
  std::optional<std::int64_t> sequence = {};  // tokens; none: what is usual with the network
  std::string framework = kUsualFramework;
};

// Four kinds of tables are known by their columns:
// - steps: `model, task, gpu, gpus, gpus_per_node, network_gbps_per_gpu, precision, seq_len, micro_batch,
//   global_batch, dp, tp, pp, vp, cp, ep, shard, sequence_parallel, sharding, recompute, schedule, framework,
//   finetune`, of which `model` and `gpu` must have values;
// - MLPerf's results (`benchmark`, `accelerators`, `grad_accumulation`, ...), whose layouts are inferred
// where
//   the configuration does not name them;
// - litgpt's fine-tuning (`size_b`, `method`, `quantization`, `tokens_longest`, ...);
// - parts of Megatron's memory (`activations_gib`, `activations_percent_of_none`), in fp16 and without fused
//   attention, as they were measured.
// One for each thread; keeps references to the table and the catalogue.
class StepTable {
 public:
  StepTable(const CsvTable& table, const catalog::Catalog& catalog, StepDefaults defaults = {});

  // Whether network and device of the row have names that are known.
  [[nodiscard]] bool knows(std::size_t row) const;
  // InputError with the place in the table.
  [[nodiscard]] StepCase step(std::size_t row);
  // What the row's run asks of memory: tables of memory leave other things open than those of times.
  [[nodiscard]] MemoryQuestion memory(std::size_t row, const StepCase& step) const;
  // All cells that are read, in one text, so that equal rows are answered once.
  void key(std::size_t row, std::string& key) const;

 private:
  enum class Kind { steps, mlperf, finetune, parts };
  [[nodiscard]] const catalog::Gpu& gpu_of(const RowCells& cells) const;
  // A network, and the tokens of its sequences where nobody says otherwise.
  struct KnownNetwork {
    nets::Decoder decoder;
    std::int64_t length = 0;
  };
  [[nodiscard]] const KnownNetwork& known(const std::string& name, const SourcePos& at);
  [[nodiscard]] StepCase plain_step(const RowCells& cells);
  [[nodiscard]] StepCase mlperf_step(const RowCells& cells);
  [[nodiscard]] StepCase finetune_step(const RowCells& cells);
  [[nodiscard]] StepCase parts_step(const RowCells& cells);

  const CsvTable& table_;
  const catalog::Catalog& catalog_;
  StepDefaults defaults_;
  Kind kind_;
  std::unordered_map<std::string, std::size_t> columns_;  // all, by name
  std::vector<std::size_t> read_;                         // those that matter
  std::unordered_map<std::string, KnownNetwork> networks_;
};

// Whether the columns are those of one of these tables.
bool is_step_table(const CsvTable& table);
bool is_mlperf_table(const CsvTable& table);
bool is_finetune_table(const CsvTable& table);

}  // namespace sextant::llm
