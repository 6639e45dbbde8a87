#include "sextant/llm/tuning.h"

#include <array>
#include <cmath>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::llm {
namespace {

constexpr double kUsualRank = 8;
constexpr double kMostRank = 4096;
// Of litgpt, as its authors published them: prompts of ten tokens in all but the first two layers.
constexpr double kPrompt = 10;
constexpr std::int64_t kPlainLayers = 2;

enum class LoraOn { qv, attention, all };

struct FrozenName {
  const char* name;
  FrozenWeights frozen;
};
constexpr std::array<FrozenName, 5> kFrozenNames = {{{"none", FrozenWeights::plain},
                                                     {"int8", FrozenWeights::int8},
                                                     {"nf4", FrozenWeights::nf4},
                                                     {"nf4-double", FrozenWeights::nf4_double},
                                                     {"fp4", FrozenWeights::fp4}}};

struct TuningWords {
  std::string method;
  double rank = kUsualRank;
  LoraOn on = LoraOn::qv;
  FrozenWeights frozen = FrozenWeights::plain;
};

FrozenWeights frozen_named(const std::string& text, const SourcePos& at) {
  for (const auto& one : kFrozenNames) {
    if (text == one.name) return one.frozen;
  }
  throw InputError(at, "weights cannot be kept as '" + text + "'",
                   "`quant` is none, int8, nf4, nf4-double or fp4");
}

LoraOn lora_on(const std::string& text, const SourcePos& at) {
  if (text == "qv") return LoraOn::qv;
  if (text == "attention") return LoraOn::attention;
  if (text == "all") return LoraOn::all;
  throw InputError(at, "LoRA on '" + text + "' is not known", "`on` is qv, attention or all");
}

void set_word(const std::string& part, const SourcePos& at, TuningWords& words) {
  const auto pair = split(part, '=');
  const std::string key(trim(pair[0]));
  if (pair.size() != 2)
    throw InputError(at, "'" + key + "' is not KEY=VALUE", "as in lora:rank=16,on=attention,quant=nf4");
  const std::string value(trim(pair[1]));
  if (key == "rank") {
    const auto rank = to_number(value);
    if (!rank || *rank < 1 || *rank > kMostRank || *rank != std::floor(*rank))
      throw InputError(at, "a rank of '" + value + "'", "a whole number from 1 to 4096");
    words.rank = *rank;
  } else if (key == "on") {
    words.on = lora_on(value, at);
  } else if (key == "quant") {
    words.frozen = frozen_named(value, at);
  } else {
    throw InputError(at, "fine-tuning has no '" + key + "'", "known are rank, on and quant");
  }
}

TuningWords words_of(const std::string& text, const SourcePos& at) {
  TuningWords words;
  const std::size_t colon = text.find(':');
  words.method = std::string(trim(text.substr(0, colon)));
  if (words.method == "qlora") {
    words.method = "lora";
    words.frozen = FrozenWeights::nf4_double;
  }
  const bool known = words.method == "full" || words.method == "lora" || words.method == "adapter" ||
                     words.method == "adapter-v2";
  if (!known)
    throw InputError(at, "fine-tuning by '" + words.method + "' is not known",
                     "one of full, lora, qlora, adapter, adapter-v2");
  if (colon == std::string::npos) return words;
  for (const auto& part : split(text.substr(colon + 1), ',')) set_word(part, at, words);
  if (words.method == "full" && words.frozen != FrozenWeights::plain)
    throw InputError(at, "weights of few bits cannot be trained as a whole", "use lora or an adapter");
  return words;
}

// Widths of what the products of a layer read and write.
struct ProductWidths {
  double hidden, queries, keys, values, ffn;
};

ProductWidths product_widths(const nets::Decoder& d) {
  const auto real = [](std::int64_t n) { return static_cast<double>(n); };
  const double values = d.attention == nets::AttentionKind::mla ? real(d.heads) * real(d.latent.v_head_dim)
                                                                : real(d.kv_heads) * real(d.head_dim);
  return {real(d.hidden), real(d.heads) * real(d.head_dim), real(d.kv_heads) * real(d.head_dim), values,
          real(d.ffn)};
}

double lora_parameters(const nets::Decoder& d, double rank, LoraOn on) {
  const ProductWidths w = product_widths(d);
  double widths = (w.hidden + w.queries) + (w.hidden + w.values);
  if (on != LoraOn::qv) widths += (w.hidden + w.keys) + (w.queries + w.hidden);
  const auto mamba = static_cast<double>(d.layers_with(nets::LayerAttention::mamba));
  const auto without = static_cast<double>(d.layers_with(nets::LayerAttention::none)) + mamba;
  double total = rank * widths * (static_cast<double>(d.layers) - without);
  if (on != LoraOn::all) return total;
  const auto inner = static_cast<double>(d.mamba.inner());
  const auto told = inner + static_cast<double>(d.mamba.mixed() + d.mamba.heads);
  total += rank * mamba * ((w.hidden + told) + (inner + w.hidden));
  const double matrices = d.gated ? 3 : 2;
  const auto experts = static_cast<double>(d.expert_layers());
  const double expert =
      static_cast<double>(d.experts * (d.routed_width() + d.expert_ffn)) +
      static_cast<double>(d.shared_experts) * (w.hidden + static_cast<double>(d.shared_expert_ffn));
  total += rank * matrices * static_cast<double>(d.layers_with(nets::LayerMlp::dense)) * (w.hidden + w.ffn);
  return total + rank * matrices * experts * expert;
}

double adapter_parameters(const nets::Decoder& d) {
  const auto layers = static_cast<double>(std::max<std::int64_t>(0, d.layers - kPlainLayers));
  return layers * (kPrompt * static_cast<double>(d.hidden) + static_cast<double>(d.heads));
}

// A scale and a bias for each result of a product and each value of a norm.
double scaled_parameters(const nets::Decoder& d) {
  const ProductWidths w = product_widths(d);
  const double layer = w.queries + w.keys + w.values + 2 * w.hidden + (d.gated ? 2 : 1) * w.ffn;
  const double norms = static_cast<double>(nets::parameters(d).norms);
  return 2 * (static_cast<double>(d.layers) * layer + static_cast<double>(d.vocab)) + norms;
}

}  // namespace

Tuning parse_tuning(const std::string& text, const nets::Decoder& model, const SourcePos& at) {
  const TuningWords words = words_of(text, at);
  Tuning tuning;
  tuning.frozen = words.frozen;
  if (words.method == "full") return tuning;
  if (words.method == "lora") {
    tuning.trained = Trained::lora;
    tuning.added_parameters = lora_parameters(model, words.rank, words.on);
  } else {
    const bool scaled = words.method == "adapter-v2";
    tuning.trained = scaled ? Trained::adapter_v2 : Trained::adapter;
    tuning.added_parameters = adapter_parameters(model) + (scaled ? scaled_parameters(model) : 0);
  }
  return tuning;
}

std::string tuning_text(const Tuning& tuning) {
  if (tuning.trained == Trained::everything) return "all parameters are trained";
  std::string text = human_count(tuning.added_parameters) + " parameters are trained";
  if (tuning.frozen == FrozenWeights::plain) return text;
  for (const auto& one : kFrozenNames) {
    if (one.frozen == tuning.frozen) text += ", the others are frozen in " + std::string(one.name);
  }
  return text;
}

}  // namespace sextant::llm
