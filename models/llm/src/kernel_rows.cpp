#include "kernel_rows.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "sextant/core/csv.h"
#include "sextant/core/gzip.h"
#include "sextant/nets/network.h"

namespace sextant::llm {
namespace {

// Names of the tables that the catalogue has in another form.
std::string catalogue_name(const std::string& gpu) {
  if (gpu == "b200-sxm") return "b200";
  return gpu == "b300-sxm" ? "b300" : gpu;
}

class KernelTableReader {
 public:
  KernelTableReader(const std::string& folder, const catalog::Catalog& catalog, TimedKernels& into)
      : folder_(folder), catalog_(catalog), into_(into) {}

  void read_gemm();
  void read_attention(bool decode);
  void read_collectives();
  void read_engine_reduces();
  void read_experts();
  void read_layers();

 private:
  [[nodiscard]] CsvTable table(const char* name) const {
    const std::string path = folder_ + "/llm-kernels/" + name + ".csv.gz";
    return CsvTable::parse(read_maybe_packed_file(path), path);
  }
  const KernelDevice* device(const CsvTable& table, std::size_t row);
  void add(const KernelLaw& law, const TimedCall& call) { into_.laws[law.id].push_back(call); }

  std::string folder_;
  const catalog::Catalog& catalog_;
  TimedKernels& into_;
};

const KernelDevice* KernelTableReader::device(const CsvTable& table, std::size_t row) {
  const catalog::Gpu* gpu = catalog_.gpus.find(catalogue_name(table.text(row, table.column("gpu"))));
  if (gpu == nullptr || gpu->sms == 0 || !gpu->boost) return nullptr;
  const auto known = std::ranges::find(into_.devices, gpu->id, &KernelDevice::id);
  if (known != into_.devices.end()) return &*known;
  into_.devices.push_back(kernel_device(*gpu));
  return &into_.devices.back();
}

Seconds latency(const CsvTable& table, std::size_t row) {
  return Seconds{1e-3 * table.number(row, table.column("latency_ms"))};
}

void KernelTableReader::read_gemm() {
  static const std::map<std::string, GemmFormat> formats = {{"bfloat16", GemmFormat::bf16},
                                                            {"fp8", GemmFormat::fp8},
                                                            {"fp8_block", GemmFormat::fp8_block},
                                                            {"nvfp4", GemmFormat::nvfp4}};
  const CsvTable rows = table("gemm");
  const std::size_t m = rows.column("m");
  const std::size_t n = rows.column("n");
  const std::size_t k = rows.column("k");
  const std::size_t dtype = rows.column("gemm_dtype");
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const KernelDevice* on = device(rows, i);
    const auto format = formats.find(rows.text(i, dtype));
    if (on == nullptr || format == formats.end()) continue;
    const GemmCall call{rows.number(i, m), rows.number(i, n), rows.number(i, k), format->second};
    add(gemm_law(computed_format(call.format, *on)), {on, gemm_shape(call), latency(rows, i).value});
  }
}

// A share of the device's best: of the rate of 8-bit products, or of its memory where no cache can help.
double best_share(const AttentionCall& call, const KernelDevice& d, double seconds) {
  const double keys = call.window > 0 ? std::min(call.length, call.window) : call.length;
  if (call.decode) {
    const double bytes = call.batch * call.kv_heads * keys * call.head_dim * (call.fp8_cache ? 2 : 4);
    return bytes > 2 * d.cache ? bytes / seconds / d.bandwidth : 0;
  }
  const double seen = call.window > 0 && call.window < call.length
                          ? call.window - call.window * call.window / (2 * call.length)
                          : call.length / 2;
  return 4 * call.batch * call.heads * call.head_dim * call.length * seen / seconds / std::max(d.bf16, d.fp8);
}

void KernelTableReader::read_attention(bool decode) {
  constexpr double kImpossible = 1.2;  // of the best that a device can do
  constexpr double kImpossibleShare =
      0.05;  // of the rows of a device and cache: none of them is believed then
  struct Row {
    TimedCall call;
    bool fp8, impossible;
  };
  const CsvTable rows = table(decode ? "attention_decode" : "attention_prefill");
  std::vector<Row> read;
  std::map<std::pair<std::string, bool>, std::pair<double, double>> groups;
  const auto number = [&](std::size_t i, const char* name) {
    return rows.maybe_number(i, rows.column(name)).value_or(0);
  };
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const KernelDevice* on = device(rows, i);
    if (on == nullptr) continue;
    AttentionCall call{.batch = number(i, "batch_size"),
                       .length = decode ? number(i, "step") + 1 : number(i, "isl"),
                       .heads = number(i, "num_heads"),
                       .kv_heads = number(i, "num_key_value_heads"),
                       .head_dim = number(i, "head_dim"),
                       .window = number(i, "window_size"),
                       .fp8_cache = rows.text(i, rows.column("kv_cache_dtype")) == "fp8",
                       .decode = decode};
    const double seconds = latency(rows, i).value;
    const bool impossible = best_share(call, *on, seconds) > kImpossible;
    auto& [bad, all] = groups[{on->id, call.fp8_cache}];
    bad += impossible ? 1 : 0;
    all += 1;
    read.push_back({{on, attention_shape(call), seconds}, call.fp8_cache, impossible});
  }
  for (const Row& row : read) {
    const auto& [bad, all] = groups[{row.call.device->id, row.fp8}];
    if (row.impossible || bad > kImpossibleShare * all)
      ++into_.impossible;
    else
      add(decode ? decode_law() : prefill_law(), row.call);
  }
}

void KernelTableReader::read_collectives() {
  static const std::map<std::string, NodeOperation> operations = {
      {"all_reduce", NodeOperation::all_reduce},
      {"all_gather", NodeOperation::all_gather},
      {"reduce_scatter", NodeOperation::reduce_scatter},
      {"alltoall", NodeOperation::all_to_all}};
  const CsvTable rows = table("nccl");
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const KernelDevice* on = device(rows, i);
    const auto operation = operations.find(rows.text(i, rows.column("op_name")));
    if (on == nullptr || on->link == 0 || operation == operations.end()) continue;
    const double element = rows.text(i, rows.column("nccl_dtype")) == "half" ? 2 : 1;
    const NodeCollective call{operation->second, rows.number(i, rows.column("num_gpus")),
                              Bytes{element * rows.number(i, rows.column("message_size"))}};
    add(collective_law(), {on, collective_shape(call), latency(rows, i).value});
  }
}

void KernelTableReader::read_engine_reduces() {
  const CsvTable rows = table("allreduce_custom");
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const KernelDevice* on = device(rows, i);
    if (on == nullptr || on->link == 0) continue;
    const bool graph = rows.text(i, rows.column("backend")).ends_with("graph");
    constexpr double kElement = 2;  // bytes
    const NodeCollective call{NodeOperation::all_reduce, rows.number(i, rows.column("num_gpus")),
                              Bytes{kElement * rows.number(i, rows.column("message_size"))},
                              graph ? CollectiveLibrary::engine_graph : CollectiveLibrary::engine_host};
    add(engine_law(), {on, collective_shape(call), latency(rows, i).value});
  }
}

// Loads of the experts: "balanced", or "power_law_" with the power.
double skew_of(const CsvTable& rows, std::size_t row) {
  constexpr std::string_view kPower = "power_law_";
  const std::size_t column = rows.column("distribution");
  const std::string text = rows.text(row, column);
  if (text == "balanced") return 0;
  double skew = 0;
  const char* end = text.data() + text.size();
  const bool read = text.starts_with(kPower) &&
                    std::from_chars(text.data() + kPower.size(), end, skew).ptr == end && skew > 0;
  if (!read)
    throw InputError(rows.where(row, column), "the table names a distribution of loads that is not known",
                     "balanced, or power_law_ and a power");
  return skew;
}

void KernelTableReader::read_experts() {
  static const std::map<std::string, ExpertFormat> formats = {
      {"bfloat16", ExpertFormat::bf16},       {"fp8", ExpertFormat::fp8},
      {"fp8_block", ExpertFormat::fp8_block}, {"nvfp4", ExpertFormat::nvfp4},
      {"int4_wo", ExpertFormat::int4},        {"w4a16_mxfp4", ExpertFormat::mxfp4}};
  const CsvTable rows = table("moe");
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const KernelDevice* on = device(rows, i);
    const auto format = formats.find(rows.text(i, rows.column("moe_dtype")));
    if (on == nullptr || format == formats.end()) continue;
    const auto number = [&](const char* name) { return rows.number(i, rows.column(name)); };
    const ExpertsCall call{.tokens = number("num_tokens"),
                           .hidden = number("hidden_size"),
                           .width = number("inter_size") / number("moe_tp_size"),
                           .experts = number("num_experts"),
                           .chosen = number("topk"),
                           .ranks = number("moe_ep_size"),
                           .skew = skew_of(rows, i),
                           .format = format->second};
    check(call);
    add(experts_law(computed_format(call.format, *on)),
        {on, experts_shape(call, *on), latency(rows, i).value});
  }
}

// The product of an operator of Vidur's layers: rows of weights and their depth. Nothing for operators that
// are no products.
std::optional<std::pair<double, double>> layer_product(const std::string& name, const nets::Decoder& model,
                                                       double tensor) {
  const auto hidden = static_cast<double>(model.hidden);
  const auto dim = static_cast<double>(model.head_dim);
  const double queries = static_cast<double>(model.heads) * dim / tensor;
  const double width = static_cast<double>(model.ffn) / tensor;
  if (name == "attn_pre_proj")
    return std::pair{queries + 2 * static_cast<double>(model.kv_heads) * dim / tensor, hidden};
  if (name == "attn_post_proj") return std::pair{hidden, queries};
  if (name == "mlp_up_proj") return std::pair{(model.gated ? 2 : 1) * width, hidden};
  if (name == "mlp_down_proj") return std::pair{hidden, width};
  return {};
}

void KernelTableReader::read_layers() {
  const CsvTable rows = table("vidur_layers");
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    const KernelDevice* on = device(rows, i);
    const nets::Network* network = nets::zoo().find(rows.text(i, rows.column("model")));
    if (on == nullptr || network == nullptr || !network->decoder) continue;
    const auto product =
        layer_product(rows.text(i, rows.column("op")), *network->decoder, rows.number(i, rows.column("tp")));
    if (!product || latency(rows, i).value <= 0) continue;
    const GemmCall call{rows.number(i, rows.column("tokens")), product->first, product->second};
    into_.layers.push_back({on, gemm_shape(call), latency(rows, i).value});
  }
}

}  // namespace

TimedKernels read_timed_kernels(const std::string& data_folder, const catalog::Catalog& catalog) {
  TimedKernels timed;
  KernelTableReader reader(data_folder, catalog, timed);
  reader.read_gemm();
  reader.read_attention(false);
  reader.read_attention(true);
  reader.read_collectives();
  reader.read_engine_reduces();
  reader.read_experts();
  reader.read_layers();
  return timed;
}

}  // namespace sextant::llm
