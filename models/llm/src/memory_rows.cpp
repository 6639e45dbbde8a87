#include "memory_rows.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "sextant/nets/network.h"

namespace sextant::llm {
namespace {

constexpr double kMemoryGib = 1073741824;

// A row of a table in which columns may be missing and cells empty.
struct SparseRow {
  const CsvTable& table;
  std::size_t row;

  [[nodiscard]] std::string text(const char* column) const {
    const auto at = table.find_column(column);
    return at ? table.text(row, *at) : "";
  }
  [[nodiscard]] std::optional<double> number(const char* column) const {
    const auto at = table.find_column(column);
    return at ? table.maybe_number(row, *at) : std::nullopt;
  }
  [[nodiscard]] std::int64_t count(const char* column) const {
    return std::llround(std::max(1.0, number(column).value_or(1)));
  }
};

std::shared_ptr<const nets::Decoder> memory_decoder(const std::string& name) {
  const nets::Network* network = nets::zoo().find(name);
  return network == nullptr ? nullptr : network->decoder;
}

// What all tables state in the same words.
std::optional<StepCase> stated_case(const SparseRow& row, const catalog::Catalog& catalog) {
  const auto decoder = memory_decoder(row.text("model"));
  const catalog::Gpu* gpu = catalog.gpus.find(row.text("gpu"));
  if (!decoder || gpu == nullptr) return std::nullopt;
  StepCase at;
  at.model = *decoder;
  at.gpu = *gpu;
  at.gpus = std::max(row.count("gpus"), row.count("accelerators"));
  at.sequence = row.count("seq_len");
  at.micro_batch = row.number("micro_batch").value_or(1);
  at.global_batch = row.number("global_batch").value_or(1);
  at.layout = {.tp = row.count("tp"),
               .pp = row.count("pp"),
               .vp = row.count("vp"),
               .cp = row.count("cp"),
               .ep = row.count("ep")};
  const std::int64_t ranks = at.layout.tp * at.layout.pp * at.layout.cp;
  at.layout.dp = row.number("dp") ? row.count("dp") : std::max<std::int64_t>(1, at.gpus / ranks);
  at.layout.sequence_parallel = at.layout.tp > 1 && row.text("sequence_parallel") != "0";
  if (const std::string text = row.text("sharding"); !text.empty()) at.layout.sharding = parse_sharding(text);
  if (const std::string text = row.text("recompute"); !text.empty())
    at.layout.recompute = parse_recompute(text);
  if (const std::string text = row.text("precision"); !text.empty()) at.format = parse_format(text);
  if (const std::string text = row.text("task"); !text.empty()) at.task = parse_task(text);
  return at;
}

// The fewest tensor ranks, then stages, with which it fits.
void choose_degrees(MemoryRow& row) {
  StepCase& at = row.question.at;
  for (const std::int64_t product : {1, 2, 4, 8, 16, 32, 64, 128}) {
    at.layout.tp = std::min<std::int64_t>(product, 8);
    at.layout.pp = product / at.layout.tp;
    const std::int64_t ranks = at.layout.tp * at.layout.pp * at.layout.cp;
    if (ranks > at.gpus || at.layout.pp > at.model.layers || at.model.heads % at.layout.tp != 0) continue;
    at.layout.dp = at.gpus / ranks;
    at.layout.sequence_parallel = at.layout.tp > 1;
    const TrainingMemory memory = training_memory(row.question, row.capacity);
    if (memory_verdict(memory, row.capacity).fit != Fit::does_not_fit) return;
  }
}

// Their logs name neither precision nor, often, the layout.
MemoryRow mlperf_row(const SparseRow& row, StepCase at) {
  const bool lora = row.text("benchmark").ends_with("lora");
  at.task = lora ? Task::lora : Task::pretrain;
  at.format = at.gpu.tensor_fp8 ? Format::fp8 : Format::bf16;
  at.layout.sharding = Sharding::zero_1;
  const bool stated = row.number("tp").has_value();
  if (lora && !stated) {  // one sequence for each replica, split over the rest
    const double replicas = at.global_batch / row.number("grad_accumulation").value_or(1);
    at.layout.cp = std::max<std::int64_t>(1, std::llround(static_cast<double>(at.gpus) / replicas));
    at.layout.dp = std::max<std::int64_t>(1, at.gpus / at.layout.cp);
  }
  MemoryRow result{row.text("model"), memory_question(std::move(at), row.text("framework")), {}};
  result.capacity = usable_memory(result.question.at.gpu);
  if (const auto gb = row.number("memory_gb")) result.measured = Bytes{*gb * kMemoryGib};
  if (!stated) choose_degrees(result);
  return result;
}

MemoryRow step_row(const SparseRow& row, StepCase at) {
  at.stack = stack_of(row.text("framework"), at);
  MemoryRow result{row.text("model"), memory_question(std::move(at), row.text("framework")), {}};
  result.capacity = usable_memory(result.question.at.gpu);
  if (const auto gib = row.number("memory_gib")) result.measured = Bytes{*gib * kMemoryGib};
  return result;
}

FrozenWeights frozen_named(const std::string& text) {
  if (text == "bnb.nf4") return FrozenWeights::nf4;
  if (text == "bnb.nf4-dq") return FrozenWeights::nf4_double;
  if (text == "bnb.fp4") return FrozenWeights::fp4;
  if (text == "bnb.int8") return FrozenWeights::int8;
  return FrozenWeights::plain;
}

Trained trained_named(const std::string& text) {
  if (text == "adapter") return Trained::adapter;
  return text == "adapter-v2" ? Trained::adapter_v2 : Trained::lora;
}

// litgpt names networks by family and size: "llama-2" of 7 billion.
std::string litgpt_name(const std::string& family, const std::string& size) {
  return family == "phi-1.5" ? family : family + "-" + size + "b";
}

}  // namespace

std::vector<MemoryRow> read_ran_rows(const std::string& folder, const catalog::Catalog& catalog) {
  std::vector<MemoryRow> rows;
  for (const char* file : {"steps.csv", "steps_vtrain.csv", "mlperf.csv"}) {
    const CsvTable table = CsvTable::read_file(folder + "/" + file);
    const bool mlperf = table.find_column("accelerators").has_value();
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const SparseRow row{table, i};
      auto at = stated_case(row, catalog);
      if (!at || at->gpu.vendor != "NVIDIA") continue;
      rows.push_back(mlperf ? mlperf_row(row, *std::move(at)) : step_row(row, *std::move(at)));
    }
  }
  return rows;
}

std::vector<MemoryRow> read_finetune_rows(const std::string& folder, const catalog::Catalog& catalog) {
  const CsvTable table = CsvTable::read_file(folder + "/finetune_memory.csv");
  std::vector<MemoryRow> rows;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const SparseRow row{table, i};
    const auto decoder = memory_decoder(litgpt_name(row.text("model"), row.text("size_b")));
    const catalog::Gpu* gpu = catalog.gpus.find(row.text("gpu"));
    if (!decoder || gpu == nullptr) continue;
    StepCase at;
    at.model = *decoder;
    at.gpu = *gpu;
    at.gpus = row.count("gpus");
    at.sequence = row.count("tokens_longest");
    at.micro_batch = row.number("micro_batch").value_or(1);
    at.global_batch = at.micro_batch * static_cast<double>(at.gpus);
    at.task = Task::lora;
    // With several devices litgpt splits the weights and keeps only the inputs of layers.
    const bool several = at.gpus > 1;
    at.layout = {.dp = at.gpus,
                 .sharding = several ? Sharding::zero_3 : Sharding::none,
                 .recompute = several ? Recompute::full : Recompute::none};
    MemoryRow result{row.text("model"), memory_question(std::move(at), "litgpt"), usable_memory(*gpu)};
    result.question.trained = trained_named(row.text("method"));
    result.question.frozen = frozen_named(row.text("quantization"));
    result.question.added_parameters = row.number("trainable").value_or(0);
    if (const auto gb = row.number("memory_gb")) result.measured = Bytes{*gb * 1e9};
    result.out_of_memory = row.text("out_of_memory") == "1";
    rows.push_back(std::move(result));
  }
  return rows;
}

std::vector<PartsRow> read_parts_rows(const std::string& folder, const catalog::Catalog& catalog) {
  const CsvTable table = CsvTable::read_file(folder + "/memory_megatron.csv");
  std::vector<PartsRow> rows;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const SparseRow row{table, i};
    auto at = stated_case(row, catalog);
    if (!at) continue;
    at->format = Format::fp16;
    at->layout.sharding = Sharding::none;
    at->stack.fused_attention = false;
    at->global_batch = static_cast<double>(at->layout.pp) * 2 * at->micro_batch;  // a filled pipeline
    rows.push_back({memory_question(*std::move(at), "Megatron-LM"), row.text("model"),
                    row.number("state_gib"), row.number("activations_gib"),
                    row.number("activations_percent_of_none")});
  }
  return rows;
}

}  // namespace sextant::llm
