#include <map>

#include "config_reader.h"
#include "sextant/core/text.h"

namespace sextant::nets {
namespace {

constexpr std::int64_t kMostLayers = 10000;

void check_divides(const ConfigReader& c, const char* key, std::int64_t part, std::int64_t whole) {
  if (part <= whole && whole % part == 0) return;
  c.fail(key, "is " + std::to_string(part) + ", which does not divide " + std::to_string(whole),
         "each group has as many heads");
}

LayerAttention attention_called(const ConfigReader& c, const std::string& name) {
  static const std::map<std::string, LayerAttention> kinds = {
      {"full_attention", LayerAttention::full},
      {"deepseek_sparse_attention", LayerAttention::full},
      {"sliding_attention", LayerAttention::window},
      {"chunked_attention", LayerAttention::chunk},
      {"linear_attention", LayerAttention::linear}};
  const auto known = kinds.find(name);
  if (known != kinds.end()) return known->second;
  std::vector<std::string> names;
  for (const auto& [word, kind] : kinds) names.push_back(word);
  c.fail("layer_types", "has the unknown kind '" + name + "'", name_hint(name, names));
}

}  // namespace

std::int64_t read_layers(const ConfigReader& c, const char* key) {
  const std::int64_t layers = c.size(key);
  if (layers <= kMostLayers) return layers;
  c.fail(key, "is out of range", "from 1 to " + std::to_string(kMostLayers));
}

Decoder read_widths(const ConfigReader& c, const WidthKeys& keys) {
  Decoder d;
  d.layers = read_layers(c, keys.layers);
  d.hidden = c.size(keys.hidden);
  d.heads = c.size(keys.heads);
  d.kv_heads = d.heads;
  d.vocab = c.size(keys.vocab);
  d.dense_layers = d.layers;
  d.head_dim = c.has("head_dim") ? c.size("head_dim") : shared_width(c, d, keys);
  return d;
}

std::int64_t shared_width(const ConfigReader& c, const Decoder& d, const WidthKeys& keys) {
  if (d.hidden % d.heads != 0) {
    c.fail(keys.heads,
           "is " + std::to_string(d.heads) + ", which does not divide '" + keys.hidden + "' " +
               std::to_string(d.hidden),
           "give 'head_dim' where heads have a size of their own");
  }
  return d.hidden / d.heads;
}

void read_key_heads(const ConfigReader& c, Decoder& d, std::int64_t usual) {
  d.kv_heads = c.size_or("num_key_value_heads", usual > 0 ? usual : d.heads);
  check_divides(c, "num_key_value_heads", d.kv_heads, d.heads);
  d.attention = d.kv_heads == d.heads ? AttentionKind::mha : AttentionKind::gqa;
}

Decoder read_llama_like(const ConfigReader& c) {
  Decoder d = read_widths(c);
  read_key_heads(c, d);
  d.ffn = c.size("intermediate_size");
  d.gated = true;
  d.tied = c.flag_or("tie_word_embeddings", false);
  d.max_positions = c.size_or("max_position_embeddings", 0);
  d.bias.qkv = c.flag_or("attention_bias", false);
  d.bias.attention_output = d.bias.qkv;
  d.bias.mlp = c.flag_or("mlp_bias", false);
  return d;
}

void read_experts(const ConfigReader& c, Decoder& d, const ExpertKeys& keys) {
  d.experts = c.size(keys.count);
  d.experts_per_token = c.size(keys.per_token);
  d.expert_ffn = c.size(keys.width);
  d.dense_layers = 0;
  if (d.experts_per_token <= d.experts) return;
  c.fail(keys.per_token, "is " + std::to_string(d.experts_per_token) + ", more than the " +
                             std::to_string(d.experts) + " experts of '" + keys.count + "'");
}

void read_windows(const ConfigReader& c, Decoder& d) {
  d.window = c.count_or("sliding_window", 0);
  const std::vector<std::string> types = c.texts("layer_types");
  if (types.empty()) return;
  if (static_cast<std::int64_t>(types.size()) != d.layers) {
    c.fail("layer_types",
           "names " + std::to_string(types.size()) + " layers, but there are " + std::to_string(d.layers));
  }
  d.layer_attention.clear();
  for (const std::string& name : types) d.layer_attention.push_back(attention_called(c, name));
  const bool narrow = d.layers_with(LayerAttention::window) > 0;
  if (narrow && d.window == 0) c.fail("sliding_window", "is missing, but 'layer_types' has such layers");
  if (!narrow && d.layers_with(LayerAttention::chunk) == 0) d.window = 0;
}

void full_each(Decoder& d, std::int64_t nth, LayerAttention others) {
  d.layer_attention.clear();
  for (std::int64_t i = 1; i <= d.layers; ++i) {
    d.layer_attention.push_back(i % nth == 0 ? LayerAttention::full : others);
  }
}

}  // namespace sextant::nets
