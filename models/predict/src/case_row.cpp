#include "case_row.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "sextant/core/text.h"

namespace sextant::predict {
namespace {

constexpr char kSeparator = '\0';  // the reader refuses it in files

// Above this a double no longer holds every whole number.
constexpr double kLargestWhole = 0x1p53;

// "32.0" is whole too: programs that keep missing values write it so.
std::optional<std::int64_t> whole_number(std::string_view text) {
  if (const auto value = to_integer(text)) return value;
  const auto value = to_number(text);
  if (!value || std::abs(*value) > kLargestWhole || std::floor(*value) != *value) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

std::optional<std::int64_t> size_of(const std::string& text, const char* column) {
  if (text.empty()) return std::nullopt;
  const auto value = whole_number(text);
  if (!value) throw InputError({column}, "'" + text + "' is not a whole number");
  if (*value < 1) throw InputError({column}, "'" + text + "' is out of range", "at least 1");
  return value;
}

jobs::Mode mode_of(const std::string& text) {
  const std::string word = fold_name(text);
  if (word == "training") return jobs::Mode::train;
  if (word == "inference" || word == "inf") return jobs::Mode::infer;
  return jobs::parse_mode(text, {"mode"});
}

// As PyTorch, Lightning and their users write them.
Precision precision_of(const std::string& text) {
  const std::string word = fold_name(text);
  for (const char* full : {"float32", "torch.float32", "32", "32-true", "no"})
    if (word == full) return Precision::fp32;
  for (const char* half : {"float16", "torch.float16", "half", "16", "16-mixed", "16-true", "amp"})
    if (word == half) return Precision::fp16;
  if (word == "torch.bfloat16") return Precision::bf16;
  return parse_precision(text, {"precision"});
}

// Of the default layout stays what the row does not say; its places stay only if the row says none.
void read_layout(const std::function<std::string(const char*)>& text, jobs::Layout& layout) {
  jobs::PlacementRequest request{.count = size_of(text("count"), "count"),
                                 .nodes = size_of(text("nodes"), "nodes")};
  if (const auto p = text("placement"); !p.empty())
    request.placement = jobs::parse_placement(p, {"placement"});
  if (request.count || request.nodes || request.placement) layout.placement = place(request);
  if (const auto strategy = text("strategy"); !strategy.empty()) layout.strategy = strategy;
  if (const auto network = text("network"); !network.empty()) layout.link = network;
}

std::size_t index_of(std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(kCaseColumns, name) - kCaseColumns.begin());
}

}  // namespace

CaseColumns::CaseColumns(const CsvTable& table) {
  for (std::size_t i = 0; i < kCaseColumns.size(); ++i) columns_[i] = table.find_column(kCaseColumns[i]);
}

void CaseColumns::key(const CsvTable& table, std::size_t row, std::string& out) const {
  out.clear();
  for (const auto& column : columns_) {
    if (column) out += table.text(row, *column);
    out += kSeparator;
  }
}

std::string CaseColumns::cell(const CsvTable& table, std::size_t row, std::string_view name) const {
  const auto column = columns_.at(index_of(name));
  return column ? std::string(trim(table.text(row, *column))) : std::string();
}

bool CaseColumns::has(std::string_view name) const {
  return columns_.at(index_of(name)).has_value();
}

Case read_case(const CsvTable& table, const CaseColumns& columns, std::size_t row,
               const CaseDefaults& defaults) {
  const auto text = [&](const char* column) { return columns.cell(table, row, column); };
  Case c{.job = defaults.job, .gpu = text("gpu")};
  read_layout(text, c.job.layout);
  if (c.gpu.empty()) c.gpu = defaults.gpu;
  if (c.gpu.empty())
    throw InputError({"gpu"}, "no GPU is named",
                     "by a column 'gpu', or for all rows by `" + defaults.gpu_field + "`");
  c.gpu = mix_gpus(c.gpu, c.job.layout);
  if (const auto net = text("net"); !net.empty()) c.job.net = net;
  if (c.job.net.empty()) throw InputError({"net"}, "no network is named");
  c.job.sizes = {.batch = size_of(text("batch"), "batch").value_or(defaults.job.sizes.batch),
                 .image = size_of(text("image"), "image"),
                 .seq = size_of(text("seq"), "seq"),
                 .classes = size_of(text("classes"), "classes")};
  if (const auto mode = text("mode"); !mode.empty()) c.job.mode = mode_of(mode);
  const auto p = text("precision");
  c.says_precision = !p.empty();
  if (c.says_precision) c.job.precision = precision_of(p);
  if (const auto stack = text("stack"); !stack.empty()) c.job.stack = stack;
  if (const auto o = text("optimizer"); !o.empty()) c.job.optimizer = jobs::parse_optimizer(o, {"optimizer"});
  return c;
}

void fill_sizes(nets::Binding& sizes, const nets::Binding& defaults, const nets::Network& network) {
  const bool image = network.input == nets::InputKind::image;
  if (!sizes.image && image) sizes.image = defaults.image;
  if (!sizes.seq && !image) sizes.seq = defaults.seq;
  if (!sizes.classes && network.defaults.classes > 0) sizes.classes = defaults.classes;
}

std::string column_of(const InputError& error) {
  return error.where().file;
}

}  // namespace sextant::predict
