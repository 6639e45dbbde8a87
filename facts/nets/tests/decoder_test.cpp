// What follows from the sizes of a transformer, against published counts and a table of many architectures.
#include "sextant/nets/decoder.h"

#include <gtest/gtest.h>

#include <map>

#include "named_decoders.h"
#include "sextant/core/csv.h"
#include "sextant/nets/cost.h"
#include "sextant/nets/network.h"
#include "shared_data.h"

namespace sextant::nets {
namespace {

const NamedDecoder* find_named(const std::string& name) {
  for (const NamedDecoder& one : named_decoders()) {
    if (one.decoder.name == name) return &one;
    for (const std::string& alias : one.aliases) {
      if (alias == name) return &one;
    }
  }
  return nullptr;
}

TEST(NamedDecoders, HaveThePublishedParameters) {
  int compared = 0;
  for (const NamedDecoder& one : named_decoders()) {
    if (!one.published) continue;
    EXPECT_EQ(parameters(one.decoder).total(), *one.published) << one.decoder.name;
    ++compared;
  }
  EXPECT_GE(compared, 30);
}

// The table leaves out the lighter attention of GLM 5 that picks tokens, and takes the layers of Qwen 3.5
// that keep a state for layers that keep keys. With these parts the counts come nearer to what the makers
// state: 744 and 397 billion, 40 and 17 of them active.
bool has_parts_that_the_table_leaves_out(const std::string& name) {
  return name == "glm-5" || name == "qwen3.5-397b-a17b";
}

TEST(NamedDecoders, AgreeWithTheTableOfArchitectures) {
  SEXTANT_NEEDS_DATA(path, "llm-training/models.csv");
  const CsvTable table = CsvTable::read_file(path);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string name = table.text(row, table.column("model"));
    const NamedDecoder* known = find_named(name);
    ASSERT_NE(known, nullptr) << name;
    const auto get = [&](const char* column) { return table.integer(row, table.column(column)); };
    if (has_parts_that_the_table_leaves_out(name)) {
      const double billions = table.number(row, table.column("stated_params_b"));
      EXPECT_NEAR(static_cast<double>(parameters(known->decoder).total()) / 1e9, billions, 0.003 * billions);
      continue;
    }
    EXPECT_EQ(parameters(known->decoder).matrices(), get("params")) << name;
    EXPECT_EQ(active_parameters(known->decoder).matrices(), get("active_params")) << name;
    EXPECT_EQ(cache_of_token(known->decoder, Bytes{2}).value, get("kv_bytes_per_token_bf16")) << name;
  }
}

// Of the networks whose graphs the zoo writes itself: their sizes say the same. BERT's encoder ends in the
// pooler, its graph in a classifier of two classes; with the heads of its pre-training it has more.
TEST(ZooDecoders, HaveTheParametersOfTheirGraphs) {
  int compared = 0;
  for (const Network& network : zoo().all()) {
    if (!network.decoder || network.id.ends_with("pretraining")) continue;
    const Decoder& d = *network.decoder;
    const std::int64_t classifier = d.kind == TransformerKind::encoder ? 2 * d.hidden + 2 : 0;
    const Graph graph = build(network, {});
    EXPECT_EQ(cost(graph).total.parameters, parameters(d).total() + classifier) << network.id;
    ++compared;
  }
  EXPECT_GE(compared, 95);
}

const Decoder& decoder_called(const std::string& name) {
  return *zoo().get(name).decoder;
}

// Llama 3 8B by hand: queries and output h² each, keys and values h x 1024, three matrices of h x 14336.
TEST(DecoderFlops, OfATokenOfLlama) {
  const Decoder& d = decoder_called("llama-3-8b");
  const double h = 4096;
  const TokenFlops f = forward_flops(d, 8192);
  EXPECT_DOUBLE_EQ(f.projections.value, 32 * 2 * (2 * h * h + 2 * h * 1024));
  EXPECT_DOUBLE_EQ(f.mlp.value, 32 * 2 * 3 * h * 14336);
  EXPECT_DOUBLE_EQ(f.head.value, 2 * h * 128256);
  // Each query meets 4096.5 keys on average: a product with the key and one with the value, of 32 x 128.
  EXPECT_DOUBLE_EQ(f.scores.value, 32 * 2 * 2 * h * 4096.5);
  EXPECT_DOUBLE_EQ(f.total().value, (f.projections + f.mlp + f.head + f.scores).value);
}

// 128 tokens on every other layer of gpt-oss: of s places the first 128 see (128 + 1) / 2, the others 128.
TEST(DecoderFlops, WindowsSeeFewerKeys) {
  const Decoder& d = decoder_called("gpt-oss-20b");
  EXPECT_EQ(d.layers_with(LayerAttention::window), 12);
  EXPECT_EQ(d.attention_of(0), LayerAttention::window);
  EXPECT_EQ(d.attention_of(1), LayerAttention::full);
  EXPECT_DOUBLE_EQ(mean_keys(d, 0, 1024), (128 * 129 / 2 + 896 * 128) / 1024.0);
  EXPECT_DOUBLE_EQ(mean_keys(d, 1, 1024), 512.5);
  EXPECT_DOUBLE_EQ(mean_keys(d, 0, 100), 50.5);
}

// Stretches of 8192 on three of four layers of Llama 4: 10,000 places are one of 8192 and one of 1808.
TEST(DecoderFlops, StretchesSeeTheirOwn) {
  const Decoder& d = decoder_called("llama-4-scout");
  EXPECT_EQ(d.layers_with(LayerAttention::chunk), 36);
  EXPECT_DOUBLE_EQ(mean_keys(d, 0, 10000), (8192.0 * 8193 / 2 + 1808.0 * 1809 / 2) / 10000);
  EXPECT_DOUBLE_EQ(mean_keys(d, 3, 10000), 5000.5);
}

TEST(DecoderFlops, EncodersSeeEverything) {
  EXPECT_DOUBLE_EQ(mean_keys(decoder_called("bert-base"), 0, 512), 512);
}

TEST(DecoderExperts, StandInTheseLayers) {
  const Decoder& deepseek = decoder_called("deepseek-v3");
  EXPECT_FALSE(deepseek.has_experts(2));
  EXPECT_TRUE(deepseek.has_experts(3));
  EXPECT_EQ(deepseek.expert_layers(), 58);
  EXPECT_EQ(deepseek.multi_token_layers, 1);
  const Decoder& maverick = decoder_called("llama-4-maverick");
  EXPECT_FALSE(maverick.has_experts(0));
  EXPECT_TRUE(maverick.has_experts(1));
  EXPECT_EQ(maverick.expert_layers(), 24);
}

// Of a layer of Nemotron 3 Nano: what goes into the state and out of it, a convolution over four places with
// its bias, three numbers a head, two norms. Rounded, these are the counts that its report states.
TEST(NemotronH, IsMadeOfLayersOfOneThing) {
  const Decoder& d = decoder_called("nemotron-3-nano");
  EXPECT_EQ(d.layers_with(LayerAttention::mamba), 23);
  EXPECT_EQ(d.layers_with(LayerAttention::full), 6);
  EXPECT_EQ(d.expert_layers(), 23);
  EXPECT_DOUBLE_EQ(d.whole_layers(), 26);
  const std::int64_t mixed = 4096 + 2 * 8 * 128;
  EXPECT_EQ(layer_parameters(d, 0).total(),
            2688 * (mixed + 4096 + 64) + mixed * 5 + 3 * 64 + 4096 + 4096 * 2688 + 2688);
  EXPECT_NEAR(static_cast<double>(parameters(d).total()), 31.6e9, 0.05e9);
  EXPECT_NEAR(static_cast<double>(active_parameters(d).total()), 3.6e9, 0.05e9);
  // A token keeps keys and values of two groups in six layers; a sequence also 23 states, whatever its
  // length.
  EXPECT_DOUBLE_EQ(cache_of_token(d, Bytes{2}).value, 6 * 2 * 2 * 128 * 2);
  EXPECT_DOUBLE_EQ(cache_of_sequence(d, 100, Bytes{2}).value,
                   100 * 6 * 2 * 2 * 128 * 2 + 23 * 4096 * 128 * 2);
}

// Experts of the larger ones work on a quarter of the width: 120.6 and 550 billion parameters are stated, 12
// and 55 of them active.
TEST(NemotronH, SendsFewerValuesToItsExperts) {
  const Decoder& large = decoder_called("nemotron-3-super");
  EXPECT_EQ(large.routed_width(), 1024);
  EXPECT_NEAR(static_cast<double>(parameters(large).total()), 120.6e9, 0.1e9);
  EXPECT_NEAR(static_cast<double>(active_parameters(large).total()), 12.7e9, 0.1e9);
  const Decoder& ultra = decoder_called("nemotron-3-ultra");
  EXPECT_NEAR(static_cast<double>(parameters(ultra).total()), 550e9, 1e9);
  EXPECT_NEAR(static_cast<double>(active_parameters(ultra).total()), 55e9, 1.5e9);
}

// A window keeps its tokens only: 24 layers of 2 x 8 x 64 values, half of them of at most 128 tokens.
TEST(DecoderCache, GrowsUpToTheWindow) {
  const Decoder& d = decoder_called("gpt-oss-20b");
  EXPECT_DOUBLE_EQ(cache_of_token(d, Bytes{2}).value, 24 * 1024 * 2);
  EXPECT_DOUBLE_EQ(cache_of_sequence(d, 1000, Bytes{2}).value, 12 * 1024 * 2 * (1000.0 + 128));
  // DeepSeek keeps 512 + 64 values of a token, whatever the heads.
  EXPECT_DOUBLE_EQ(cache_of_token(decoder_called("deepseek-v3"), Bytes{1}).value, 61 * 576);
}

}  // namespace
}  // namespace sextant::nets
