#include <algorithm>
#include <cmath>

#include "kernel_law.h"

namespace sextant::llm {
namespace {

namespace attention_size {
enum Place : std::size_t { batch, length, heads, kv_heads, head_dim, window, fp8_cache };
}

bool has_window(const KernelShape& x) {
  return x[attention_size::window] > 0 && x[attention_size::window] < x[attention_size::length];
}

// Of a query, on average, with causal attention.
double mean_keys_seen(const KernelShape& x) {
  if (!has_window(x)) return x[attention_size::length] / 2 + 0.5;
  return x[attention_size::window] -
         x[attention_size::window] * x[attention_size::window] / (2 * x[attention_size::length]);
}

namespace prefill_at {
enum Place : std::size_t {
  compute,
  head_power,
  fp8,
  block,
  single,
  window_keys,
  keys,
  whole,
  longest,
  memory,
  overlap,
  launch,
  ultra,
  cache_share,
  cache_bytes
};
}

std::vector<LawParameter> prefill_parameters() {
  return {{"compute", 0.65, 0.05, 1.2, 0.3},
          {"head-power", 0.1, 0.01, 1.5, 0.5, 30},  // of the efficiency in the width of a head
          {"fp8-rate", 1, 0.2, 2.5, 0.3, 10},       // with a cache in fp8
          {"block", 2, 0.05, 30, 0.5, 10},          // microseconds, whatever it computes
          {"single", 0.1, 0.005, 2, 0.7},           // of that, where there is one token
          {"window-keys", 192, 64, 3000, 0.7, 60},  // computed beside those in the window
          {"keys", 32, 0.5, 2000, 0.7, 20},         // computed beside those that are seen
          {"whole-waves", 0.3, 0.02, 1, 0, 10},
          {"longest", 0.8, 0.1, 1.5, 0.3, 30},  // of the block with the most keys
          {"memory", 0.7, 0.1, 1.1, 0.3, 20},
          {"overlap", 3, 1, 8, 0, 60},
          {"launch", 8, 1, 100, 0.5},
          {"ultra", 1.2, 1, 1.6, 0, 30},          // boards with twice the units for exponentials
          {"cache-share", 0.5, 0.05, 2, 0.4, 2},  // of the cache that short prompts find
          {"cache-bytes", 24, 4, 128, 0.3, 4}};   // that a processor reads there in a cycle
}

// Bytes/s; no cache is slower than the memory behind it.
double cache_rate(double bytes_of_a_cycle, const KernelDevice& d) {
  return std::max(d.bandwidth, d.processors * d.gigahertz * 1e9 * bytes_of_a_cycle);
}

// Of the rate, where an 8-bit cache is converted because the device has no 8-bit products; assumed.
constexpr double kConverted = 0.5;

double prefill_seconds(std::span<const double> p, const KernelShape& x, const KernelDevice& d) {
  // Of a block: boards with GDDR have less shared memory, and their kernels take half of the queries.
  const double most_rows = d.family == "nvidia-gddr" ? 64 : 128;
  const bool fp8 = x[attention_size::fp8_cache] > 0;
  const bool window = has_window(x);
  const double rate = d.bf16 / d.processors * p[prefill_at::compute] *
                      std::pow(x[attention_size::head_dim] / 128, p[prefill_at::head_power]) *
                      (fp8 ? p[prefill_at::fp8] * (d.fp8 > 0 ? 1 : kConverted) : 1);
  // Blackwell Ultra: known by its rate of fp4, which is three times that of fp8.
  const bool ultra = d.fp4 > 2.5 * d.fp8;
  const double keys = mean_keys_seen(x) + (window ? p[prefill_at::window_keys] : p[prefill_at::keys]);
  // Kernels for Hopper take the queries of all heads that share keys together, others do so for one token.
  const double group = x[attention_size::heads] / x[attention_size::kv_heads];
  const bool packed = x[attention_size::length] == 1 || d.architecture.ends_with("Hopper");
  const double queries = x[attention_size::length] * (packed ? group : 1);
  const double heads = packed ? x[attention_size::kv_heads] : x[attention_size::heads];
  const double rows = std::clamp(queries, most_rows / 2, most_rows);
  const double key = 4 * rows * x[attention_size::head_dim] / (ultra ? p[prefill_at::ultra] * rate : rate);
  const double count =
      waves(x[attention_size::batch] * heads * std::ceil(queries / most_rows), p[prefill_at::whole], d);
  const double longest = key * (window ? keys : x[attention_size::length]) * p[prefill_at::longest];
  const double block = p[prefill_at::block] * 1e-6 *
                       (x[attention_size::length] == 1 ? p[prefill_at::single] : 1) * 1.9 / d.gigahertz;
  const double compute = std::max(key * keys * count, longest) + block * count;
  const double bytes = x[attention_size::batch] * x[attention_size::length] *
                       (4 * x[attention_size::heads] * x[attention_size::head_dim] +
                        2 * x[attention_size::kv_heads] * x[attention_size::head_dim] * (fp8 ? 3 : 4));
  const double fill = bytes / (p[prefill_at::cache_share] * d.cache);
  const double cached = 1 / (1 + fill * fill);
  const double from_cache = cache_rate(p[prefill_at::cache_bytes], d);
  const double memory = bytes * (cached / from_cache + (1 - cached) / (d.bandwidth * p[prefill_at::memory]));
  return after_launch(launch_seconds(p[prefill_at::launch], 0.5, d),
                      overlapped(compute, memory, p[prefill_at::overlap]), d);
}

namespace decode_at {
enum Place : std::size_t {
  memory,
  fp8,
  cache_share,
  cache_bytes,
  group,
  compute,
  unit,
  split,
  stream,
  overlap,
  launch,
  regroup
};
}

std::vector<LawParameter> decode_parameters() {
  return {
      {"memory", 0.8, 0.2, 1.1, 0.2, 20},
      {"fp8-memory", 0.9, 0.3, 1.5, 0.3, 30},
      {"cache-share", 0.5, 0.02, 2, 0.5, 2},
      {"cache-bytes", 24, 2, 128, 0.4, 4},
      {"least-group", 8, 1, 128, 0.7, 20},  // queries that are computed together at least
      {"compute", 0.3, 0.02, 1.2, 0.5, 30},
      {"unit", 1, 0.05, 20, 0.7, 10},          // microseconds of a sequence and key head on a processor
      {"split-keys", 256, 16, 8192, 0.7, 20},  // fewest keys of a part
      {"stream", 60, 1, 1000, 0.5, 10},        // bytes that a processor reads in a cycle
      {"overlap", 2, 1, 8, 0, 60},
      {"launch", 7, 1, 100, 0.5},
      {"regroup", 0.5, 0.05, 2, 0, 10}};  // launches of a copy that puts queries with the same keys together
}

// FlashAttention 2, which engines run on NVIDIA's devices but Hopper and the Blackwell with HBM. It splits a
// sequence only where queries share keys, and first copies these queries together.
bool second_flash(const KernelDevice& d) {
  const bool newer = d.family == "nvidia-hbm" && !d.architecture.ends_with("Ampere");
  return d.family.starts_with("nvidia") && !newer;
}

double decode_memory(std::span<const double> p, double bytes, bool fp8, const KernelDevice& d) {
  const double fill = bytes / (p[decode_at::cache_share] * d.cache);
  const double cached = 1 / (1 + fill * fill);
  const double reached = d.bandwidth * p[decode_at::memory] * (fp8 ? p[decode_at::fp8] : 1);
  const double from_cache = cache_rate(p[decode_at::cache_bytes], d);
  return bytes * (cached / from_cache + (1 - cached) / reached) / (fp8 && d.fp8 == 0 ? kConverted : 1);
}

double decode_seconds(std::span<const double> p, const KernelShape& x, const KernelDevice& d) {
  const bool fp8 = x[attention_size::fp8_cache] > 0;
  const double keys = x[attention_size::window] > 0
                          ? std::min(x[attention_size::length], x[attention_size::window])
                          : x[attention_size::length];
  const double units = x[attention_size::batch] * x[attention_size::kv_heads];
  const double cache = units * keys * x[attention_size::head_dim] * 2 * (fp8 ? 1 : 2);
  const double bytes =
      cache + 4 * x[attention_size::batch] * x[attention_size::heads] * x[attention_size::head_dim];
  const double memory = decode_memory(p, bytes, fp8, d);
  const double sharing = x[attention_size::heads] / x[attention_size::kv_heads];
  const double compute = 4 * units * std::max(sharing, p[decode_at::group]) * x[attention_size::head_dim] *
                         keys / (d.bf16 * p[decode_at::compute]);
  const double scheduling = (std::max(1.0, units / d.processors) - 1) * p[decode_at::unit] * 1e-6;
  const bool flash = second_flash(d) && !fp8;
  const double most_parts = flash && sharing == 1 ? 1 : std::max(1.0, keys / p[decode_at::split]);
  const double parts = std::clamp(d.processors / units, 1.0, most_parts);
  const double alone = cache / units / parts / (p[decode_at::stream] * 1e9 * d.gigahertz);
  const bool copied = flash && sharing > 1 && x[attention_size::kv_heads] > 1 && x[attention_size::batch] > 1;
  const double both = overlapped(memory, compute, p[decode_at::overlap]);
  return after_launch(
      launch_seconds(p[decode_at::launch] * (1 + (copied ? p[decode_at::regroup] : 0)), 1, d),
      overlapped(both, overlapped(scheduling, alone, p[decode_at::overlap]), p[decode_at::overlap]), d);
}

std::vector<double> attention_features(const KernelShape& x, const KernelDevice& d) {
  const double keys = x[attention_size::window] > 0
                          ? std::min(x[attention_size::length], x[attention_size::window])
                          : x[attention_size::length];
  return {std::log2(x[attention_size::batch]),
          std::log2(x[attention_size::length]),
          std::log2(x[attention_size::heads]),
          std::log2(x[attention_size::heads] / x[attention_size::kv_heads]),
          x[attention_size::head_dim],
          x[attention_size::fp8_cache],
          x[attention_size::window] > 0 ? 1.0 : 0.0,
          std::log2(x[attention_size::batch] * x[attention_size::heads] *
                    std::ceil(x[attention_size::length] / 128) / d.processors),
          std::log2(x[attention_size::batch] * x[attention_size::kv_heads] * keys)};
}

}  // namespace

const KernelLaw& prefill_law() {
  static const KernelLaw law = {"attention-prefill", prefill_parameters(), &prefill_seconds,
                                &attention_features};
  return law;
}

const KernelLaw& decode_law() {
  static const KernelLaw law = {"attention-decode", decode_parameters(), &decode_seconds,
                                &attention_features};
  return law;
}

KernelShape attention_shape(const AttentionCall& call) {
  return {call.batch,
          call.length,
          call.heads,
          call.kv_heads,
          call.head_dim,
          call.window,
          call.fp8_cache ? 1.0 : 0.0};
}

}  // namespace sextant::llm
