#include "sextant/llm/step_rows.h"

#include <algorithm>
#include <array>

#include "sextant/llm/tuning.h"
#include "sextant/nets/network.h"
#include "step_cells.h"
#include "step_layout.h"

namespace sextant::llm {
namespace {

constexpr double kGigabit = 1e9 / 8;  // bytes

constexpr std::array kReadColumns = {
    "model", "task", "gpu", "gpus", "gpus_per_node", "network_gbps_per_gpu", "precision", "seq_len",
    "micro_batch", "global_batch", "dp", "tp", "pp", "vp", "cp", "ep", "shard", "sequence_parallel",
    "sharding", "recompute", "schedule", "framework", "finetune",
    // MLPerf
    "round", "submitter", "benchmark", "accelerators", "accelerators_per_node", "grad_accumulation", "config",
    // litgpt
    "size_b", "method", "quantization", "trainable", "tokens_longest"};

bool has_all(const CsvTable& table, std::initializer_list<const char*> names) {
  return std::ranges::all_of(names, [&](const char* name) { return table.find_column(name).has_value(); });
}

// As many as the rows need where they name degrees only.
std::int64_t gpus_of(const RowCells& cells) {
  const std::int64_t named = cells.degree("dp", 1) * cells.degree("tp", 1);
  return cells.count("gpus", named * cells.degree("pp", 1) * cells.degree("cp", 1));
}

void read_layout(const RowCells& cells, StepCase& step) {
  StepLayout& l = step.layout;
  l.tp = cells.degree("tp", 1);
  l.pp = cells.degree("pp", 1);
  l.cp = cells.degree("cp", 1);
  l.ep = cells.degree("ep", 1);
  l.dp = cells.count("dp", std::max<std::int64_t>(1, step.gpus / (l.tp * l.pp * l.cp)));
  l.shard = cells.degree("shard", 0);
  l.sequence_parallel = cells.text("sequence_parallel") == "1";
  if (const std::string text = cells.text("sharding"); text == "hsdp") {
    l.sharding = Sharding::zero_3;
    if (l.shard == 0) l.shard = std::max<std::int64_t>(1, step.gpus_per_node / (l.tp * l.cp));
  } else if (!text.empty()) {
    l.sharding = parse_sharding(text, cells.where("sharding"));
  }
  if (const std::string text = cells.text("recompute"); !text.empty())
    l.recompute = parse_recompute(text, cells.where("recompute"));
}

void read_task(const RowCells& cells, StepCase& step) {
  if (const std::string text = cells.text("task"); !text.empty())
    step.task = parse_task(text, cells.where("task"));
  if (step.task == Task::lora) step.tuning.trained = Trained::lora;
  const std::string tuning = cells.text("finetune");
  if (tuning.empty()) return;
  step.tuning = parse_tuning(tuning, step.model, cells.where("finetune"));
  if (step.tuning.trained != Trained::everything) step.task = Task::lora;
}

FrozenWeights litgpt_frozen(const std::string& text, const SourcePos& at) {
  if (text.empty() || text == "none") return FrozenWeights::plain;
  if (text == "bnb.nf4") return FrozenWeights::nf4;
  if (text == "bnb.nf4-dq") return FrozenWeights::nf4_double;
  if (text == "bnb.fp4" || text == "bnb.fp4-dq") return FrozenWeights::fp4;
  if (text == "bnb.int8" || text == "bnb.int8-training") return FrozenWeights::int8;
  throw InputError(at, "'" + text + "' is not known here",
                   "one of none, bnb.nf4, bnb.nf4-dq, bnb.fp4, bnb.int8");
}

// litgpt names networks by family and size: "llama-2" of 7 billion.
std::string litgpt_name(const std::string& family, const std::string& size) {
  if (size.empty() || nets::zoo().find(family) != nullptr) return family;
  return family + "-" + size + "b";
}

}  // namespace

bool is_mlperf_table(const CsvTable& table) {
  return has_all(table, {"benchmark", "accelerators"});
}

bool is_finetune_table(const CsvTable& table) {
  return has_all(table, {"model", "method", "quantization", "tokens_longest"});
}

bool is_step_table(const CsvTable& table) {
  return !table.find_column("net") && (has_all(table, {"model", "seq_len"}) || is_finetune_table(table));
}

StepTable::StepTable(const CsvTable& table, const catalog::Catalog& catalog, StepDefaults defaults)
    : table_(table), catalog_(catalog), defaults_(std::move(defaults)), kind_(Kind::steps) {
  if (is_mlperf_table(table)) {
    kind_ = Kind::mlperf;
  } else if (is_finetune_table(table)) {
    kind_ = Kind::finetune;
  } else if (has_all(table, {"activations_gib", "activations_percent_of_none"})) {
    kind_ = Kind::parts;
  }
  for (std::size_t i = 0; i < table.header().size(); ++i) columns_.emplace(table.header()[i], i);
  for (const char* name : kReadColumns) {
    if (const auto column = table.find_column(name)) read_.push_back(*column);
  }
}

void StepTable::key(std::size_t row, std::string& key) const {
  key.clear();
  for (const std::size_t column : read_) {
    key += table_.text(row, column);
    key += '\x1f';
  }
}

const catalog::Gpu& StepTable::gpu_of(const RowCells& cells) const {
  std::string name = cells.text("gpu");
  if (name.empty()) name = defaults_.gpu;
  if (name.empty()) throw InputError(cells.where("gpu"), "no GPU is named", "in the column `gpu`");
  return find_gpu(catalog_, name, cells.where("gpu"));
}

const StepTable::KnownNetwork& StepTable::known(const std::string& name, const SourcePos& at) {
  if (const auto found = networks_.find(name); found != networks_.end()) return found->second;
  if (name.empty()) throw InputError(at, "the network is not named", "such as llama-3-8b");
  const nets::Network network = nets::find_network(name, at);
  if (!network.decoder) {
    throw InputError(at, "'" + name + "' is not a transformer whose sizes are known",
                     "give a decoder of the zoo or the path of its config.json");
  }
  KnownNetwork& added = networks_[name];
  added = {*network.decoder, network.defaults.seq};
  added.decoder.name = name;
  return added;
}

bool StepTable::knows(std::size_t row) const {
  const RowCells cells(table_, columns_, row);
  const std::string model = cells.text("model");
  const nets::Network* network =
      nets::zoo().find(kind_ == Kind::finetune ? litgpt_name(model, cells.text("size_b")) : model);
  return network != nullptr && network->decoder && catalog_.gpus.find(cells.text("gpu")) != nullptr;
}

StepCase StepTable::step(std::size_t row) {
  const RowCells cells(table_, columns_, row);
  switch (kind_) {
    case Kind::mlperf:
      return mlperf_step(cells);
    case Kind::finetune:
      return finetune_step(cells);
    case Kind::parts:
      return parts_step(cells);
    case Kind::steps:
      break;
  }
  return plain_step(cells);
}

StepCase StepTable::plain_step(const RowCells& cells) {
  StepCase step;
  const KnownNetwork& network = known(cells.text("model"), cells.where("model"));
  step.model = network.decoder;
  step.gpu = gpu_of(cells);
  step.gpus = gpus_of(cells);
  step.gpus_per_node = cells.count("gpus_per_node", 8);
  if (const auto gigabits = cells.number("network_gbps_per_gpu"))
    step.network = Bandwidth{*gigabits * kGigabit};
  const std::string format = cells.text("precision");
  step.format = format.empty() ? defaults_.format : parse_format(format, cells.where("precision"));
  read_task(cells, step);
  step.sequence = cells.count("seq_len", defaults_.sequence.value_or(network.length));
  read_layout(cells, step);
  step.micro_batch = cells.number("micro_batch").value_or(1);
  const std::string framework = cells.text("framework");
  step.stack = stack_of(framework.empty() ? defaults_.framework : framework, step);
  if (step.stack.family == "jax") fill_jax(step);
  step.global_batch =
      cells.number("global_batch").value_or(step.micro_batch * static_cast<double>(step.layout.dp));
  step.layout.vp = cells.degree("vp", usual_stages(step, cells.text("schedule").starts_with("interleaved")));
  return step;
}

StepCase StepTable::mlperf_step(const RowCells& cells) {
  StepCase step;
  const KnownNetwork& network = known(cells.text("model"), cells.where("model"));
  step.model = network.decoder;
  step.gpu = gpu_of(cells);
  step.gpus = cells.needed("accelerators");
  step.gpus_per_node = cells.count("accelerators_per_node", 8);
  step.sequence = cells.count("seq_len", defaults_.sequence.value_or(network.length));
  step.global_batch = static_cast<double>(cells.needed("global_batch"));
  read_task(cells, step);
  MlperfEntry entry;
  entry.round = cells.text("round");
  entry.submitter = cells.text("submitter");
  entry.benchmark = cells.text("benchmark");
  entry.config = cells.text("config");
  entry.accumulation = cells.number("grad_accumulation").value_or(1);
  entry.tp = cells.degree("tp", 0);
  entry.pp = cells.degree("pp", 0);
  entry.cp = cells.degree("cp", 0);
  entry.vp = cells.degree("vp", 0);
  entry.micro_batch = cells.number("micro_batch").value_or(0);
  fill_mlperf(entry, step);
  return step;
}

// One iteration: a micro-batch on each device.
StepCase StepTable::finetune_step(const RowCells& cells) {
  StepCase step;
  const KnownNetwork& network =
      known(litgpt_name(cells.text("model"), cells.text("size_b")), cells.where("model"));
  step.model = network.decoder;
  step.gpu = gpu_of(cells);
  step.gpus = cells.count("gpus", 1);
  step.sequence =
      cells.count("tokens_longest", cells.count("seq_len", defaults_.sequence.value_or(network.length)));
  step.micro_batch = cells.number("micro_batch").value_or(1);
  step.global_batch = step.micro_batch * static_cast<double>(step.gpus);
  const std::string method = cells.text("method");
  if (method != "full") {
    step.task = Task::lora;
    step.tuning = parse_tuning(method.empty() ? "lora" : method, step.model, cells.where("method"));
    step.tuning.frozen = litgpt_frozen(cells.text("quantization"), cells.where("quantization"));
    if (const auto trainable = cells.number("trainable")) step.tuning.added_parameters = *trainable;
  }
  // With several devices litgpt splits the weights and keeps only the inputs of layers.
  const bool several = step.gpus > 1;
  step.layout = {.dp = step.gpus,
                 .sharding = several ? Sharding::zero_3 : Sharding::none,
                 .recompute = several ? Recompute::full : Recompute::none};
  step.stack.name = "litgpt";
  step.stack.family = "fsdp";
  return step;
}

// A filled pipeline of Megatron in 2022.
StepCase StepTable::parts_step(const RowCells& cells) {
  StepCase step = plain_step(cells);
  step.format = Format::fp16;
  step.layout.sharding = Sharding::none;
  step.stack = stack_of("Megatron-LM", step);
  step.global_batch =
      cells.number("global_batch")
          .value_or(static_cast<double>(step.layout.dp * step.layout.pp) * 2 * step.micro_batch);
  return step;
}

}  // namespace sextant::llm
