// The contract of a family of transformers, and what a `config.json` is told that cannot be right.
#include "sextant/nets/decoder_config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "decoder_graph.h"
#include "sextant/core/csv.h"
#include "sextant/core/json.h"
#include "sextant/nets/cost.h"

namespace sextant::nets {
namespace {

std::string sample_path(const std::string& family) {
  return SEXTANT_SOURCE_DIR "/facts/nets/fuzz/corpus/decoder_config/" + family + ".json";
}

std::vector<std::string> family_ids() {
  std::vector<std::string> ids;
  for (const DecoderFamily& family : decoder_families().all()) ids.push_back(family.id);
  return ids;
}

std::string family_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
}

// Each family has a small sample, facts/nets/fuzz/corpus/decoder_config/<id>.json.
class Families : public testing::TestWithParam<std::string> {
 protected:
  [[nodiscard]] Decoder sample() const { return read_decoder_config(sample_path(GetParam())); }
};
INSTANTIATE_TEST_SUITE_P(Contract, Families, testing::ValuesIn(family_ids()), family_name);

TEST_P(Families, SaysWhatItIs) {
  const DecoderFamily& family = decoder_families().get(GetParam());
  EXPECT_FALSE(family.summary.empty());
  EXPECT_FALSE(family.reference.empty());
  EXPECT_EQ(sample().family, GetParam());
  EXPECT_EQ(sample().name, GetParam());
}

// What the sizes say and what the graph is made of are two counts of one thing.
TEST_P(Families, CountsWhatItsGraphHas) {
  const Decoder decoder = sample();
  const Graph graph = build(decoder_network(decoder, 16), {.batch = 2});
  EXPECT_EQ(cost(graph).total.parameters, parameters(decoder).total());
  EXPECT_TRUE(unknown_operators(graph).empty());
}

// Work of the graph: matrices, and pairs of a query and a key. T5 runs its scores unmasked, as its frameworks
// do, and convolutions of linear layers are counted among their matrices.
TEST_P(Families, WorksAsItsGraphDoes) {
  const Decoder decoder = sample();
  if (decoder.kind != TransformerKind::decoder) GTEST_SKIP() << "heads for words are counted otherwise";
  constexpr std::int64_t kLength = 48;
  const double graph = 2 * static_cast<double>(cost(build(decoder_network(decoder, kLength), {})).total.macs);
  const double token = forward_flops(decoder, kLength).total().value;
  const std::int64_t width = decoder.embedding_width;
  const double widened = width > 0 ? 4.0 * static_cast<double>(width * decoder.hidden) : 0;
  EXPECT_NEAR(graph / kLength, token + widened, 1e-9 * graph);
}

TEST_P(Families, MeetsNoMoreParametersThanItHas) {
  const Decoder decoder = sample();
  const ParameterCount all = parameters(decoder);
  const ParameterCount active = active_parameters(decoder);
  EXPECT_GT(active.total(), 0);
  if (decoder.experts > 0) {
    EXPECT_EQ(active.experts, all.experts / decoder.experts * decoder.experts_per_token);
    EXPECT_LT(active.total(), all.total());
  } else {
    EXPECT_EQ(active.total(), all.total());
  }
}

// A key less is said by its name; keys that say nothing of sizes do not matter.
TEST_P(Families, NamesWhatIsMissing) {
  const Json whole = read_json_file(sample_path(GetParam()));
  int refused = 0;
  for (const auto& [key, value] : whole.items()) {
    Json less = whole;
    less.erase(key);
    try {
      parse_decoder_config(less.dump(), "config.json");
    } catch (const InputError& error) {
      EXPECT_EQ(error.where().file, "config.json");
      EXPECT_FALSE(error.message().empty());
      ++refused;
    }
  }
  EXPECT_GE(refused, 1) << "the model_type at least";
}

std::string complaint_of(const Json& config) {
  try {
    parse_decoder_config(config.dump(), "net/config.json");
    return "accepted";
  } catch (const InputError& error) {
    return error.what();
  }
}

Json small(const std::string& family) {
  return read_json_file(sample_path(family));
}

Json with(Json config, const std::string& key, const Json& value) {
  config[key] = value;
  return config;
}

TEST(BadConfig, SaysWhereAndWhatToDo) {
  Json config = small("llama");
  config.erase("hidden_size");
  EXPECT_EQ(complaint_of(config),
            "net/config.json: error: 'hidden_size' is missing\n"
            "  hint: the config.json beside the weights of the network has it");
  EXPECT_EQ(complaint_of(with(small("llama"), "model_type", "lama")),
            "net/config.json: error: 'model_type' is the unknown family 'lama'\n"
            "  hint: did you mean 'llama'?");
  EXPECT_NE(complaint_of(with(small("llama"), "model_type", "rwkv_world")).find("sextant list families"),
            std::string::npos);
  EXPECT_EQ(complaint_of(with(small("llama"), "num_key_value_heads", 3)),
            "net/config.json: error: 'num_key_value_heads' is 3, which does not divide 4\n"
            "  hint: each group has as many heads");
  EXPECT_EQ(complaint_of(with(small("llama"), "num_attention_heads", 5)),
            "net/config.json: error: 'num_attention_heads' is 5, which does not divide 'hidden_size' 64\n"
            "  hint: give 'head_dim' where heads have a size of their own");
  EXPECT_EQ(complaint_of(with(small("mixtral"), "num_experts_per_tok", 9)),
            "net/config.json: error: 'num_experts_per_tok' is 9, more than the 8 experts of "
            "'num_local_experts'");
  EXPECT_EQ(complaint_of(with(small("gpt-oss"), "layer_types", {"full_attention"})),
            "net/config.json: error: 'layer_types' names 1 layers, but there are 4");
  EXPECT_EQ(complaint_of(with(small("llama"), "hidden_size", "wide")),
            "net/config.json: error: 'hidden_size' is not a number");
  EXPECT_EQ(complaint_of(with(small("llama"), "tie_word_embeddings", 1)),
            "net/config.json: error: 'tie_word_embeddings' is neither true nor false");
  EXPECT_EQ(complaint_of(with(small("nemotron-h"), "hybrid_override_pattern", "MEM*-X")),
            "net/config.json: error: 'hybrid_override_pattern' has the unknown layer 'X'\n"
            "  hint: M or mamba, * or attention, - or mlp, E or moe");
  EXPECT_EQ(complaint_of(with(small("nemotron-h"), "layers_block_type", {"mamba", "moe"})),
            "net/config.json: error: 'layers_block_type' names 2 layers, but 'num_hidden_layers' is 6");
  EXPECT_EQ(complaint_of(with(small("nemotron-h"), "n_groups", 3)),
            "net/config.json: error: 'n_groups' does not divide 'mamba_num_heads'\n"
            "  hint: each group has as many heads");
  Json nested = small("llama4");
  nested["text_config"]["num_local_experts"] = 0;
  EXPECT_EQ(complaint_of(nested),
            "net/config.json: error: 'text_config.num_local_experts' is out of range\n"
            "  hint: from 1 to 4294967296");
}

TEST(BadConfig, RefusesWhatNoMachineHolds) {
  Json config = small("llama");
  for (const char* key : {"hidden_size", "intermediate_size", "vocab_size"}) config[key] = 1LL << 32;
  EXPECT_EQ(complaint_of(config),
            "net/config.json: error: these sizes make more parameters than any machine holds");
}

// A folder, the file in it, and a file of another name.
TEST(ConfigNetworks, AreFoundByTheirPath) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "sextant-config" / "tiny-llama-test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "config.json") << small("llama").dump();
  std::ofstream(folder / "other.json") << small("gpt2").dump();
  const Network by_folder = find_network(folder.string());
  EXPECT_EQ(by_folder.decoder->name, "tiny-llama-test");
  EXPECT_EQ(by_folder.defaults.seq, 256);
  EXPECT_EQ(find_network((folder / "config.json").string()).decoder->family, "llama");
  EXPECT_EQ(find_network((folder / "other.json").string()).decoder->family, "gpt2");
  EXPECT_THROW(find_network((folder / "..").string()), InputError);
  std::filesystem::remove_all(folder.parent_path());
}

}  // namespace
}  // namespace sextant::nets
