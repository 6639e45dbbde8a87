// The architecture of a transformer as plain numbers, whatever family it is from, and what follows from them:
// parameters, floating-point operations and the cache of keys and values. Names of fields follow the
// `config.json` of Hugging Face where they agree. Counting rules: docs/models/decoder-counts.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sextant/core/units.h"

namespace sextant::nets {

// Who reads whom: a decoder reads what came before, an encoder everything (BERT), T5 has both, ViT encodes
// patches of an image.
enum class TransformerKind { decoder, encoder, encoder_decoder, vision };
// Where a token stands: a learned row for each place, turned queries and keys (RoPE), a slope for each head
// (ALiBi), a learned value for each distance (T5), or nothing, where states keep the order (Nemotron-H).
enum class Positions { learned, rope, alibi, relative, none };
enum class NormKind { layer, rms };
// Each head has keys and values of its own (mha), groups of heads share them (gqa; one group is multi-query),
// or all are made from one short vector (mla, DeepSeek).
enum class AttentionKind { mha, gqa, mla };
// What a layer attends to: everything before, the last `window` tokens, the tokens of its own stretch of
// `window` (Llama 4), a state of fixed size instead of keys and values (gated delta rule, or Mamba 2), or
// nothing: the layer is an MLP alone.
enum class LayerAttention { full, window, chunk, linear, mamba, none };
// What follows attention in a layer: an MLP, routed experts, or nothing.
enum class LayerMlp { dense, experts, none };
// Norms of queries and keys: none, one scale for a head (Qwen 3), or one for all heads together (MiniMax).
enum class QueryNorm { none, head, all };

// Sizes of multi-head latent attention (DeepSeek-AI 2024, arXiv 2405.04434).
struct LatentSizes {
  std::int64_t q_lora_rank = 0;  // 0: queries are projected from the hidden values directly
  std::int64_t kv_lora_rank = 0;
  std::int64_t qk_nope_head_dim = 0;
  std::int64_t qk_rope_head_dim = 0;
  std::int64_t v_head_dim = 0;
  // A lighter attention that picks which tokens the heads see (DeepSeek 3.2, GLM 5); 0 tokens: no such part.
  std::int64_t index_heads = 0;
  std::int64_t index_head_dim = 0;
  std::int64_t index_tokens = 0;
};

// Sizes of layers with the gated delta rule (Yang et al. 2024, arXiv 2412.06464).
struct LinearSizes {
  std::int64_t key_heads = 0;
  std::int64_t value_heads = 0;
  std::int64_t key_head_dim = 0;
  std::int64_t value_head_dim = 0;
  std::int64_t conv_kernel = 0;
};

// Sizes of layers with Mamba 2 (Dao and Gu 2024, arXiv 2405.21060): each head has a state of
// `head_dim` x `state` values; `groups` of heads share what is written and read.
struct MambaSizes {
  std::int64_t heads = 0;
  std::int64_t head_dim = 0;
  std::int64_t groups = 0;
  std::int64_t state = 0;
  std::int64_t conv_kernel = 0;

  [[nodiscard]] std::int64_t inner() const { return heads * head_dim; }
  [[nodiscard]] std::int64_t mixed() const {
    return inner() + 2 * groups * state;
  }  // through the convolution
};

struct Biases {
  bool qkv = false;
  bool attention_output = false;
  bool mlp = false;
  bool router = false;
  bool norm = false;
  bool head = false;
};

struct Decoder {
  std::string name;
  std::string family;  // `model_type` of the configuration: "llama", "deepseek_v3"
  TransformerKind kind = TransformerKind::decoder;

  std::int64_t layers = 0;          // of the decoder, where there are both
  std::int64_t encoder_layers = 0;  // T5 alone
  std::int64_t hidden = 0;
  std::int64_t heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t head_dim = 0;  // of queries and keys; with mla nope and rope together
  std::int64_t ffn = 0;       // width of the MLP in layers without experts; 0: every layer has experts
  bool gated = false;         // three matrices instead of two
  std::int64_t vocab = 0;
  bool tied = false;  // words are embedded and predicted with one matrix
  bool head = true;   // projects to words, or to classes (vision)

  std::int64_t experts = 0;            // routed ones of a layer; 0: a dense network
  std::int64_t experts_per_token = 0;  // routed
  std::int64_t shared_experts = 0;     // see every token
  std::int64_t expert_ffn = 0;
  std::int64_t shared_expert_ffn = 0;    // of one shared expert
  bool shared_expert_gate = false;       // a factor for the shared expert (Qwen 2 MoE)
  std::int64_t dense_layers = 0;         // the first ones have no experts; with experts == 0 all of them
  std::int64_t expert_every = 1;         // of the layers after those, each n-th has experts (Llama 4)
  std::int64_t expert_width = 0;         // values that experts read and write (Nemotron 3); 0: `hidden`
  std::vector<LayerMlp> layer_mlp = {};  // one for each layer; empty: as the three above say

  AttentionKind attention = AttentionKind::mha;
  LatentSizes latent = {};
  LinearSizes linear = {};
  MambaSizes mamba = {};
  std::int64_t window = 0;  // tokens that a layer with a window sees, itself included; 0: no windows
  // One for each layer; empty: all have the window, where there is one, and are full else.
  std::vector<LayerAttention> layer_attention = {};
  QueryNorm query_norm = QueryNorm::none;
  bool attention_sinks = false;  // a learned score for each head that takes no value (gpt-oss)
  bool output_gate = false;      // queries bring a factor for each value of the result (Qwen 3.5)

  Positions positions = Positions::rope;
  std::int64_t max_positions = 0;       // tokens
  std::int64_t position_rows = 0;       // of learned positions: those, and offsets (OPT: 2 more)
  std::int64_t relative_buckets = 0;    // T5
  std::int64_t segments = 0;            // BERT's token types
  std::int64_t embedding_width = 0;     // where it differs from `hidden` (OPT 350M); 0: as hidden
  std::int64_t multi_token_layers = 0;  // predict further tokens in training; not in the counts
  NormKind norm = NormKind::rms;
  std::int64_t norms_per_layer = 2;  // full-width ones: 1 in some parallel layers, 4 in Gemma 2
  bool embedding_norm = false;       // BERT
  bool final_norm = true;
  bool parallel = false;  // attention and MLP read the same values (Falcon, GPT-J)
  bool pooler = false;    // BERT: a square projection of the first token
  Biases bias = {};

  std::int64_t image = 0;  // vision: pixels of a side, and of a patch
  std::int64_t patch = 0;
  std::int64_t channels = 0;
  std::int64_t classes = 0;

  std::string source = {};  // of these facts

  [[nodiscard]] LayerMlp mlp_of(std::int64_t layer) const;
  [[nodiscard]] bool has_experts(std::int64_t layer) const { return mlp_of(layer) == LayerMlp::experts; }
  [[nodiscard]] LayerAttention attention_of(std::int64_t layer) const;
  [[nodiscard]] std::int64_t layers_with(LayerMlp follows) const;
  [[nodiscard]] std::int64_t expert_layers() const { return layers_with(LayerMlp::experts); }
  // Layers with attention and an MLP; one of the two alone is half of one.
  [[nodiscard]] double whole_layers() const;
  // Layers that keep keys and values.
  [[nodiscard]] std::int64_t keeping_layers() const;
  // Values that a routed expert reads and writes.
  [[nodiscard]] std::int64_t routed_width() const { return expert_width > 0 ? expert_width : hidden; }
  [[nodiscard]] std::int64_t layers_with(LayerAttention attends) const;
  [[nodiscard]] bool causal() const { return kind == TransformerKind::decoder; }
};

// Parameters by part. Matrices of a part stand there; all norms and all biases stand by themselves.
struct ParameterCount {
  std::int64_t embedding = 0;  // words, positions, segments, patches
  std::int64_t attention = 0;
  std::int64_t mlp = 0;      // of layers without experts
  std::int64_t experts = 0;  // routed, of all layers
  std::int64_t shared_experts = 0;
  std::int64_t router = 0;
  std::int64_t head = 0;  // 0 where it is tied
  std::int64_t norms = 0;
  std::int64_t biases = 0;  // and other vectors: attention sinks, gates

  [[nodiscard]] std::int64_t matrices() const;  // without norms and biases, as many tables count
  [[nodiscard]] std::int64_t total() const { return matrices() + norms + biases; }
};
ParameterCount parameters(const Decoder& decoder);
// Those that a token meets: of the experts the chosen ones, everything else as a whole, embeddings included.
ParameterCount active_parameters(const Decoder& decoder);
// One layer, without embedding, head and final norm.
ParameterCount layer_parameters(const Decoder& decoder, std::int64_t layer);

// Floating-point operations of the forward pass for one token, the mean over a sequence; two for a
// multiplication and addition. Backward is twice that. Norms, activations and softmax are not in it.
struct TokenFlops {
  Flops embedding;    // patches of images; words are looked up
  Flops projections;  // matrices of attention
  Flops scores;       // queries by keys and weights by values, only for the tokens that a query sees
  Flops mlp;
  Flops experts;  // chosen and shared
  Flops router;
  Flops head;

  [[nodiscard]] Flops total() const;
};
// At this length; causal attention sees half of the pairs, a window fewer (mean_keys). With an encoder and a
// decoder: of a token of the source and one of the target, both as long. Vision: of a patch.
TokenFlops forward_flops(const Decoder& decoder, std::int64_t sequence);
// How many keys a query sees on average: (s + 1) / 2 of s where attention is causal.
double mean_keys(const Decoder& decoder, std::int64_t layer, std::int64_t sequence);

// What all layers together keep of one token, with so many bytes a value: keys and values, or the short
// vector of latent attention. Layers with a window are counted too.
Bytes cache_of_token(const Decoder& decoder, Bytes value);
// What they keep of a sequence of this length: no more than the window where there is one, and the states of
// linear layers, whatever the length.
Bytes cache_of_sequence(const Decoder& decoder, std::int64_t context, Bytes value);

}  // namespace sextant::nets
