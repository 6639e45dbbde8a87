#include "sextant/llm/step_rows.h"

#include <algorithm>
#include <cmath>

#include "sextant/nets/network.h"
#include "step_layout.h"

namespace sextant::llm {
namespace {

constexpr double kGigabit = 1e9 / 8;  // bytes
constexpr std::int64_t kMostCount = 10'000'000;
constexpr std::int64_t kMostDegree = 30'000;  // so that products of degrees stay whole numbers
constexpr double kMostNumber = 1e9;
constexpr double kLeastNumber = 1e-6;

class RowCells {
 public:
  RowCells(const CsvTable& table, std::size_t row) : table_(table), row_(row) {}

  [[nodiscard]] std::string text(const char* name) const {
    const auto column = table_.find_column(name);
    return column ? table_.text(row_, *column) : "";
  }
  [[nodiscard]] std::optional<double> number(const char* name) const {
    const auto column = table_.find_column(name);
    if (!column) return {};
    const auto value = table_.maybe_number(row_, *column);
    if (value && !(*value >= kLeastNumber && *value <= kMostNumber))
      throw InputError(where(name), "this must be between 1e-6 and 1e9", "");
    return value;
  }
  [[nodiscard]] std::int64_t count(const char* name, std::int64_t otherwise) const {
    const auto value = number(name);
    if (!value) return otherwise;
    if (*value > static_cast<double>(kMostCount) || *value != std::floor(*value))
      throw InputError(where(name), "this must be a whole number below ten million", "");
    return static_cast<std::int64_t>(*value);
  }
  [[nodiscard]] std::int64_t degree(const char* name, std::int64_t otherwise) const {
    const std::int64_t value = count(name, otherwise);
    if (value > kMostDegree) throw InputError(where(name), "no layout has so many parts", "");
    return value;
  }
  [[nodiscard]] std::int64_t needed(const char* name) const {
    const std::int64_t value = count(name, 0);
    if (value == 0) throw InputError(where(name), std::string("`") + name + "` has no value", "");
    return value;
  }
  [[nodiscard]] SourcePos where(const char* name) const {
    const auto column = table_.find_column(name);
    return column ? table_.where(row_, *column) : table_.where_header(0);
  }

 private:
  const CsvTable& table_;
  std::size_t row_;
};

nets::Decoder decoder_named(const RowCells& cells) {
  const SourcePos at = cells.where("model");
  const nets::Network network = nets::find_network(cells.text("model"), at);
  if (!network.decoder)
    throw InputError(at, "'" + cells.text("model") + "' is not a transformer whose sizes are known",
                     "give a decoder of the zoo or the path of its config.json");
  nets::Decoder decoder = *network.decoder;
  decoder.name = cells.text("model");
  return decoder;
}

void read_layout(const RowCells& cells, StepCase& step) {
  StepLayout& l = step.layout;
  l.tp = cells.degree("tp", 1);
  l.pp = cells.degree("pp", 1);
  l.cp = cells.degree("cp", 1);
  l.ep = cells.degree("ep", 1);
  l.dp = cells.count("dp", std::max<std::int64_t>(1, step.gpus / (l.tp * l.pp * l.cp)));
  l.sequence_parallel = cells.text("sequence_parallel") == "1";
  if (const std::string text = cells.text("sharding"); !text.empty())
    l.sharding = parse_sharding(text, cells.where("sharding"));
  if (const std::string text = cells.text("recompute"); !text.empty())
    l.recompute = parse_recompute(text, cells.where("recompute"));
}

StepCase read_plain(const RowCells& cells, const catalog::Catalog& catalog) {
  StepCase step;
  step.model = decoder_named(cells);
  step.gpu = catalog.gpus.get(cells.text("gpu"), cells.where("gpu"));
  step.gpus = cells.needed("gpus");
  step.gpus_per_node = cells.count("gpus_per_node", 8);
  if (const auto network = cells.number("network_gbps_per_gpu"))
    step.network = Bandwidth{*network * kGigabit};
  if (const std::string text = cells.text("precision"); !text.empty())
    step.format = parse_format(text, cells.where("precision"));
  if (const std::string text = cells.text("task"); !text.empty())
    step.task = parse_task(text, cells.where("task"));
  step.sequence = cells.needed("seq_len");
  read_layout(cells, step);
  step.micro_batch = cells.number("micro_batch").value_or(1);
  const std::string framework = cells.text("framework");
  step.stack = stack_of(framework, step);
  if (step.stack.family == "jax") fill_jax(step);
  step.global_batch =
      cells.number("global_batch").value_or(step.micro_batch * static_cast<double>(step.layout.dp));
  step.layout.vp = cells.degree("vp", usual_stages(step, cells.text("schedule").starts_with("interleaved")));
  return step;
}

StepCase read_mlperf(const RowCells& cells, const catalog::Catalog& catalog) {
  StepCase step;
  step.model = decoder_named(cells);
  step.gpu = catalog.gpus.get(cells.text("gpu"), cells.where("gpu"));
  step.gpus = cells.needed("accelerators");
  step.gpus_per_node = cells.count("accelerators_per_node", 8);
  step.sequence = cells.needed("seq_len");
  step.global_batch = static_cast<double>(cells.needed("global_batch"));
  if (const std::string text = cells.text("task"); !text.empty())
    step.task = parse_task(text, cells.where("task"));
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

}  // namespace

bool is_mlperf_table(const CsvTable& table) {
  return table.find_column("benchmark").has_value() && table.find_column("accelerators").has_value();
}

StepCase read_step_case(const CsvTable& table, std::size_t row, const catalog::Catalog& catalog) {
  const RowCells cells(table, row);
  return is_mlperf_table(table) ? read_mlperf(cells, catalog) : read_plain(cells, catalog);
}

}  // namespace sextant::llm
