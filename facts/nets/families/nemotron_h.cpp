// Nemotron-H (NVIDIA 2025, arXiv 2504.03624), Nemotron Nano 2 and Nemotron 3: each layer is one thing alone,
// a state of fixed size (Mamba 2), attention, an MLP or experts, in an order that the configuration spells
// out. Experts of Nemotron 3 Super and Ultra work on fewer values than the layers around them.
#include "config_reader.h"
#include "sextant/nets/decoder_config.h"

namespace sextant::nets::family_nemotron_h {
namespace {

struct LayerKind {
  char letter;
  const char* word;
  LayerAttention attention;
  LayerMlp mlp;
};
constexpr LayerKind kLayerKinds[] = {{'M', "mamba", LayerAttention::mamba, LayerMlp::none},
                                     {'*', "attention", LayerAttention::full, LayerMlp::none},
                                     {'-', "mlp", LayerAttention::none, LayerMlp::dense},
                                     {'E', "moe", LayerAttention::none, LayerMlp::experts}};

void add_layer(const ConfigReader& c, const char* key, const std::string& name, Decoder& d) {
  for (const LayerKind& kind : kLayerKinds) {
    if (name != kind.word && name != std::string(1, kind.letter)) continue;
    d.layer_attention.push_back(kind.attention);
    d.layer_mlp.push_back(kind.mlp);
    return;
  }
  c.fail(key, "has the unknown layer '" + name + "'", "M or mamba, * or attention, - or mlp, E or moe");
}

// Letters in a row, or in newer files a list of words.
void read_order(const ConfigReader& c, Decoder& d) {
  const bool words = c.has("layers_block_type");
  const char* key = words ? "layers_block_type" : "hybrid_override_pattern";
  if (words) {
    for (const std::string& name : c.texts(key)) add_layer(c, key, name, d);
  } else {
    for (const char letter : c.text_or(key, "")) add_layer(c, key, std::string(1, letter), d);
  }
  const auto found = static_cast<std::int64_t>(d.layer_attention.size());
  if (found == 0) c.fail(key, "is missing", "it says what each layer is");
  if (c.has("num_hidden_layers") && found != read_layers(c, "num_hidden_layers")) {
    c.fail(key, "names " + std::to_string(found) + " layers, but 'num_hidden_layers' is " +
                    std::to_string(c.size("num_hidden_layers")));
  }
  d.layers = found;
}

void read_mamba(const ConfigReader& c, Decoder& d) {
  d.mamba = {.heads = c.size("mamba_num_heads"),
             .head_dim = c.size("mamba_head_dim"),
             .groups = c.size_or("n_groups", 8),
             .state = c.size("ssm_state_size"),
             .conv_kernel = c.size_or("conv_kernel", 4)};
  if (d.mamba.heads % d.mamba.groups != 0)
    c.fail("n_groups", "does not divide 'mamba_num_heads'", "each group has as many heads");
}

void read_routed(const ConfigReader& c, Decoder& d) {
  read_experts(c, d, {.count = "n_routed_experts"});
  d.expert_width = c.count_or("moe_latent_size", 0);
  d.shared_expert_ffn = c.count_or("moe_shared_expert_intermediate_size", 0);
  d.shared_experts = d.shared_expert_ffn > 0 ? 1 : 0;
  d.bias.router = true;  // an offset to the score of each expert
}

Decoder read(const ConfigReader& c) {
  Decoder d;
  read_order(c, d);
  d.hidden = c.size("hidden_size");
  d.heads = c.size("num_attention_heads");
  d.vocab = c.size("vocab_size");
  d.head_dim = c.size_or("head_dim", c.size_or("attention_head_dim", 128));
  read_key_heads(c, d);
  d.tied = c.flag_or("tie_word_embeddings", false);
  d.max_positions = c.size_or("max_position_embeddings", 0);
  d.bias.qkv = c.flag_or("attention_bias", false);
  d.bias.attention_output = d.bias.qkv;
  d.bias.mlp = c.flag_or("mlp_bias", false);
  d.positions = Positions::none;
  d.norms_per_layer = 1;
  if (d.layers_with(LayerAttention::mamba) > 0) read_mamba(c, d);
  if (d.layers_with(LayerMlp::dense) > 0) d.ffn = c.size("intermediate_size");
  if (d.expert_layers() > 0) read_routed(c, d);
  d.dense_layers = d.layers_with(LayerMlp::dense);
  d.multi_token_layers = c.count_or("num_nextn_predict_layers", 0);
  return d;
}

}  // namespace

std::vector<DecoderFamily> plugin() {
  return {{{"nemotron-h", "Nemotron-H, Nemotron Nano 2 and Nemotron 3: states, attention and MLPs in turn",
            "NVIDIA 2025, arXiv 2504.03624 and 2512.20848"},
           {},
           read}};
}

}  // namespace sextant::nets::family_nemotron_h
