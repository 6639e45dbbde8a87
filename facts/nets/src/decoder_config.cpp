#include "sextant/nets/decoder_config.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "config_reader.h"
#include "decoder_json.h"
#include "sextant/core/csv.h"
#include "sextant/core/json_place.h"
#include "sextant/core/text.h"

namespace sextant::nets {
namespace {

// Far above any network; below it no count overflows.
constexpr double kMostParameters = 1e16;

constexpr const char* kWhatItIs =
    "a config.json of Hugging Face stands beside the weights of a network and names its 'model_type'";

// By doubles, so that the check itself cannot overflow.
void check_size(const Decoder& d) {
  const auto n = [](std::int64_t value) { return static_cast<double>(value); };
  const double layers = n(d.layers + d.encoder_layers);
  const double heads = n(d.heads) * (n(d.head_dim) + n(d.latent.v_head_dim) + n(d.latent.kv_lora_rank));
  const double linear = n(d.linear.value_heads) * n(d.linear.value_head_dim) +
                        2 * n(d.linear.key_heads) * n(d.linear.key_head_dim) +
                        n(d.mamba.heads) * (n(d.mamba.head_dim) + 1) +
                        2 * n(d.mamba.groups) * n(d.mamba.state);
  const double index = n(d.latent.index_heads) * (n(d.latent.index_head_dim) + n(d.latent.q_lora_rank));
  const double mlp =
      n(d.ffn) + n(d.experts) * n(d.expert_ffn) + n(d.shared_experts) * n(d.shared_expert_ffn) + n(d.experts);
  const double wide =
      n(d.hidden) + n(d.latent.q_lora_rank) + n(d.latent.kv_lora_rank) + n(d.expert_width) + n(d.mamba.state);
  const double deep = n(d.linear.conv_kernel) + n(d.mamba.conv_kernel) + n(d.linear.key_head_dim);
  const double layer =
      wide * (8 * heads + 8 * linear + 4 * index + 4 * mlp + 2 * n(d.expert_width)) + 8 * linear * deep;
  const double around = (n(d.vocab) + n(d.position_rows) + n(d.classes) + n(d.segments) + wide +
                         n(d.channels) * n(d.patch) * n(d.patch)) *
                        4 * (wide + n(d.embedding_width));
  if (layers * layer + around < kMostParameters) return;
  throw InputError("these sizes make more parameters than any machine holds");
}

const DecoderFamily& family_of_config(const ConfigReader& c) {
  const std::string type = c.text_or("model_type", "");
  if (type.empty()) c.fail("model_type", "is missing", kWhatItIs);
  if (const DecoderFamily* known = decoder_families().find(type)) return *known;
  std::vector<std::string> names;
  for (const DecoderFamily& family : decoder_families().all()) {
    names.push_back(family.id);
    names.insert(names.end(), family.aliases.begin(), family.aliases.end());
  }
  const auto near = nearest_name(type, names);
  c.fail("model_type", "is the unknown family '" + type + "'",
         near ? "did you mean '" + *near + "'?"
              : "'sextant list families' names those that are read; one that is built like Llama can be read "
                "as \"llama\"");
}

std::string name_of_file(const std::string& file) {
  const std::filesystem::path path(file);
  const std::string folder = path.parent_path().filename().string();
  if (path.filename() == "config.json" && !folder.empty() && folder != "." && folder != "..") return folder;
  return path.stem().string();
}

}  // namespace

Decoder decoder_of_json(const Json& config) {
  if (!config.is_object()) throw InputError({}, "this is not a JSON object", kWhatItIs);
  const ConfigReader c(config);
  const DecoderFamily& family = family_of_config(c);
  Decoder decoder = family.read(c);
  decoder.family = family.id;
  check_size(decoder);
  return decoder;
}

std::shared_ptr<const Decoder> zoo_decoder(const std::string& name, const Json& config) {
  Decoder decoder = decoder_of_json(config);
  decoder.name = name;
  decoder.source = "sizes of the zoo's network";
  return std::make_shared<const Decoder>(std::move(decoder));
}

Decoder parse_decoder_config(const std::string& text, const std::string& file_name) {
  const Json document = parse_json(text, file_name);
  Decoder decoder = read_document(document, file_name, "", decoder_of_json);
  decoder.name = name_of_file(file_name);
  decoder.source = file_name;
  return decoder;
}

Decoder read_decoder_config(const std::string& path) {
  return parse_decoder_config(read_text_file(path), path);
}

}  // namespace sextant::nets
