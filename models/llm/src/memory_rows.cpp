#include "memory_rows.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/csv.h"
#include "sextant/llm/step_rows.h"
#include "sextant/nets/network.h"
#include "step_cells.h"

namespace sextant::llm {
namespace {

constexpr double kMemoryGib = 1073741824;

std::optional<double> number_in(const CsvTable& table, std::size_t row, const char* column) {
  const auto at = table.find_column(column);
  return at ? table.maybe_number(row, *at) : std::nullopt;
}

// The fewest tensor ranks, then stages, with which it fits.
void choose_degrees(MemoryQuestion& question) {
  StepCase& at = question.at;
  const Bytes capacity = usable_memory(at.gpu);
  for (const std::int64_t product : {1, 2, 4, 8, 16, 32, 64, 128}) {
    at.layout.tp = std::min<std::int64_t>(product, 8);
    at.layout.pp = product / at.layout.tp;
    const std::int64_t ranks = at.layout.tp * at.layout.pp * at.layout.cp;
    if (ranks > at.gpus || at.layout.pp > at.model.layers || at.model.heads % at.layout.tp != 0) continue;
    at.layout.dp = at.gpus / ranks;
    at.layout.sequence_parallel = at.layout.tp > 1;
    if (memory_verdict(training_memory(question, capacity), capacity).fit != Fit::does_not_fit) return;
  }
}

// Where nobody says how much a device takes at a time, as much as fits: programs of JAX split one sequence
// over several devices too.
void choose_batch(MemoryQuestion& question) {
  constexpr double kLeastShare = 1.0 / 64;  // of a sequence
  const Bytes capacity = usable_memory(question.at.gpu);
  const auto lacks = [&] {
    return memory_verdict(training_memory(question, capacity), capacity).fit == Fit::does_not_fit;
  };
  while (question.at.micro_batch > kLeastShare && lacks()) question.at.micro_batch /= 2;
}

// MLPerf's logs name neither precision nor, often, the layout.
MemoryQuestion mlperf_memory(const RowCells& cells, StepCase at) {
  at.format = at.gpu.tensor_fp8 ? Format::fp8 : Format::bf16;
  const bool stated = cells.degree("tp", 0) > 0;
  at.layout = {.dp = at.layout.dp,
               .tp = cells.degree("tp", 1),
               .pp = cells.degree("pp", 1),
               .vp = cells.degree("vp", 1),
               .cp = cells.degree("cp", 1)};
  at.micro_batch = cells.number("micro_batch").value_or(1);
  at.layout.sequence_parallel = at.layout.tp > 1;
  at.layout.dp = std::max<std::int64_t>(1, at.gpus / (at.layout.tp * at.layout.pp * at.layout.cp));
  if (at.task == Task::lora && !stated) {  // one sequence for each replica, split over the rest
    const double replicas = at.global_batch / cells.number("grad_accumulation").value_or(1);
    at.layout.cp = std::max<std::int64_t>(1, std::llround(static_cast<double>(at.gpus) / replicas));
    at.layout.dp = std::max<std::int64_t>(1, at.gpus / at.layout.cp);
  }
  at.stack = {};
  MemoryQuestion question = memory_question(std::move(at), cells.text("framework"));
  if (!stated) choose_degrees(question);
  return question;
}

// A table of measured rows of which unknown networks and devices are passed over.
template <class Add>
void read_known_rows(const std::string& path, const catalog::Catalog& catalog, Add add) {
  const CsvTable table = CsvTable::read_file(path);
  StepTable steps(table, catalog);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    if (!steps.knows(i)) continue;
    const StepCase step = steps.step(i);
    add(table, i, steps.memory(i, step));
  }
}

}  // namespace

MemoryQuestion StepTable::memory(std::size_t row, const StepCase& step) const {
  const RowCells cells(table_, columns_, row);
  switch (kind_) {
    case Kind::mlperf:
      return mlperf_memory(cells, step);
    case Kind::finetune:
      return memory_question(step, "litgpt");
    case Kind::parts:
      return memory_question(step, "Megatron-LM");
    case Kind::steps:
      break;
  }
  StepCase at = step;
  at.layout.sequence_parallel = at.layout.tp > 1 && cells.text("sequence_parallel") != "0";
  MemoryQuestion question = memory_question(std::move(at), cells.text("framework"));
  if (step.stack.family == "jax" && !cells.number("micro_batch")) choose_batch(question);
  return question;
}

std::vector<MemoryRow> read_ran_rows(const std::string& folder, const catalog::Catalog& catalog) {
  std::vector<MemoryRow> rows;
  for (const char* file : {"steps.csv", "steps_vtrain.csv", "mlperf.csv"}) {
    read_known_rows(folder + "/" + file, catalog,
                    [&](const CsvTable& table, std::size_t row, MemoryQuestion question) {
                      if (question.at.gpu.vendor != "NVIDIA") return;
                      MemoryRow one{question.at.model.name, std::move(question), {}};
                      one.capacity = usable_memory(one.question.at.gpu);
                      for (const char* column : {"memory_gib", "memory_gb"}) {
                        if (const auto gib = number_in(table, row, column))
                          one.measured = Bytes{*gib * kMemoryGib};
                      }
                      rows.push_back(std::move(one));
                    });
  }
  return rows;
}

std::vector<MemoryRow> read_finetune_rows(const std::string& folder, const catalog::Catalog& catalog) {
  std::vector<MemoryRow> rows;
  read_known_rows(folder + "/finetune_memory.csv", catalog,
                  [&](const CsvTable& table, std::size_t row, MemoryQuestion question) {
                    MemoryRow one{question.at.model.name, std::move(question), {}};
                    one.capacity = usable_memory(one.question.at.gpu);
                    if (const auto gb = number_in(table, row, "memory_gb")) one.measured = Bytes{*gb * 1e9};
                    one.out_of_memory = number_in(table, row, "out_of_memory").value_or(0) == 1;
                    rows.push_back(std::move(one));
                  });
  return rows;
}

std::vector<PartsRow> read_parts_rows(const std::string& folder, const catalog::Catalog& catalog) {
  std::vector<PartsRow> rows;
  read_known_rows(folder + "/memory_megatron.csv", catalog,
                  [&](const CsvTable& table, std::size_t row, const MemoryQuestion& question) {
                    rows.push_back({question, question.at.model.name, number_in(table, row, "state_gib"),
                                    number_in(table, row, "activations_gib"),
                                    number_in(table, row, "activations_percent_of_none")});
                  });
  return rows;
}

}  // namespace sextant::llm
