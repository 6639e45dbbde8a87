// Values of a `config.json` by key, and the groups of keys that many families share. What is wrong is said at
// the key that says it.
#pragma once

#include <string>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/nets/decoder.h"

namespace sextant::nets {

class ConfigReader {
 public:
  explicit ConfigReader(const Json& object);

  [[nodiscard]] bool has(const std::string& key) const;  // and it is not null
  // A whole number from 1 on; a key that is missing, or null, is an error or the fallback.
  [[nodiscard]] std::int64_t size(const std::string& key) const;
  [[nodiscard]] std::int64_t size_or(const std::string& key, std::int64_t fallback) const;
  [[nodiscard]] std::int64_t count_or(const std::string& key, std::int64_t fallback) const;  // from 0 on
  [[nodiscard]] double number_or(const std::string& key, double fallback) const;             // above 0
  [[nodiscard]] bool flag_or(const std::string& key, bool fallback) const;
  [[nodiscard]] std::string text_or(const std::string& key, const std::string& fallback) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& key) const;  // none: an empty list
  [[nodiscard]] std::int64_t entries(const std::string& key) const;            // of a list or an object
  // The part of a configuration of several networks, or all of it where there is no such part.
  [[nodiscard]] ConfigReader part(const std::string& key) const;

  [[noreturn]] void fail(const std::string& key, const std::string& what, const std::string& hint = {}) const;

 private:
  [[nodiscard]] const Json* find(const std::string& key) const;
  [[nodiscard]] std::int64_t whole(const std::string& key, const Json& value, std::int64_t least) const;

  const Json* object_;
};

// Keys of the sizes of a layer; families of old write them in their own ways.
struct WidthKeys {
  const char* layers = "num_hidden_layers";
  const char* hidden = "hidden_size";
  const char* heads = "num_attention_heads";
  const char* vocab = "vocab_size";
};
// With as many heads for keys as for queries, of hidden / heads each.
Decoder read_widths(const ConfigReader& c, const WidthKeys& keys = {});
// A number of layers that a network can have.
std::int64_t read_layers(const ConfigReader& c, const char* key);
// `num_key_value_heads`: of each, as many heads of queries. A file that leaves it out means `usual`, or as
// many as there are heads of queries.
void read_key_heads(const ConfigReader& c, Decoder& d, std::int64_t usual = 0);
// InputError at the key of the heads where they do not divide the width.
std::int64_t shared_width(const ConfigReader& c, const Decoder& d, const WidthKeys& keys);

// What Llama made common: root-mean-square norms, rotated positions, a gated MLP, fewer heads for keys.
Decoder read_llama_like(const ConfigReader& c);

struct ExpertKeys {
  const char* count = "num_experts";
  const char* per_token = "num_experts_per_tok";
  const char* width = "moe_intermediate_size";
};
// Routed experts; the widths of shared ones belong to the family.
void read_experts(const ConfigReader& c, Decoder& d, const ExpertKeys& keys);

// `sliding_window` and the kinds of the layers, `layer_types`.
void read_windows(const ConfigReader& c, Decoder& d);
// All layers have the window but each n-th.
void full_each(Decoder& d, std::int64_t nth, LayerAttention others = LayerAttention::window);

}  // namespace sextant::nets
