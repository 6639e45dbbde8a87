// Encoder-decoders and decoders of today: parameters and products by formula, and against configurations that
// are not part of the repository.
#include <gtest/gtest.h>

#include <map>

#include "sextant/core/csv.h"
#include "sextant/nets/cost.h"
#include "sextant/nets/network.h"
#include "shared_data.h"

namespace sextant::nets {
namespace {

struct Layout {
  std::int64_t hidden, layers, heads, kv_heads, inner, vocabulary;
};

// Words twice (read and written); per layer queries and their projection h² each, keys and values h times
// their heads' width, three matrices of the MLP and two norms; the last norm.
std::int64_t llama_parameters(const Layout& l) {
  const std::int64_t narrow = l.hidden / l.heads * l.kv_heads;
  const std::int64_t layer =
      2 * l.hidden * l.hidden + 2 * l.hidden * narrow + 3 * l.hidden * l.inner + 2 * l.hidden;
  return 2 * l.vocabulary * l.hidden + l.layers * layer + l.hidden;
}

const std::map<std::string, Layout>& llamas() {
  static const std::map<std::string, Layout> all = {
      {"llama-2-7b", {4096, 32, 32, 32, 11008, 32000}},  {"llama-2-13b", {5120, 40, 40, 40, 13824, 32000}},
      {"llama-2-70b", {8192, 80, 64, 8, 28672, 32000}},  {"llama-3-8b", {4096, 32, 32, 8, 14336, 128256}},
      {"llama-3-70b", {8192, 80, 64, 8, 28672, 128256}}, {"tinyllama-1.1b", {2048, 22, 32, 4, 5632, 32000}},
      {"mistral-7b", {4096, 32, 32, 8, 14336, 32000}}};
  return all;
}

OpCost total_of(const std::string& name, std::int64_t batch, std::int64_t seq) {
  return cost(build(find_network(name), {.batch = batch, .seq = seq})).total;
}

TEST(Llama, ParametersByFormulaWhateverTheLength) {
  for (const auto& [name, layout] : llamas()) {
    EXPECT_EQ(total_of(name, 1, 8).parameters, llama_parameters(layout)) << name;
    EXPECT_EQ(total_of(name, 1, 4096).parameters, llama_parameters(layout)) << name;
  }
}

// A token passes each matrix once, norms and the table of words left out; every head of queries meets its own
// position and those before it, twice, however few heads of keys there are.
TEST(Llama, WorkByFormula) {
  const std::int64_t batch = 3;
  const std::int64_t seq = 640;
  for (const auto& [name, l] : llamas()) {
    const std::int64_t norms = (2 * l.layers + 1) * l.hidden;
    const std::int64_t matrices = llama_parameters(l) - norms - l.vocabulary * l.hidden;
    const std::int64_t attention = l.layers * 2 * (seq * (seq + 1) / 2) * l.hidden;
    EXPECT_EQ(total_of(name, batch, seq).macs, batch * (seq * matrices + attention)) << name;
  }
}

// Each layer: a norm before attention and one before the MLP; rotations of queries and keys; one operator for
// attention, which reads shared heads of keys where they stand.
TEST(Llama, OneLayerIsMadeOf) {
  const auto count = [](const std::string& name, const std::string& type) {
    int found = 0;
    for (const Node& node : build(find_network(name), {.seq = 16}).nodes) {
      found += static_cast<int>(node.name.starts_with("layer0.") && type_name(node.op) == type);
    }
    return found;
  };
  for (const char* name : {"llama-2-7b", "llama-3-8b"}) {
    EXPECT_EQ(count(name, "linear"), 7) << name;
    EXPECT_EQ(count(name, "attention"), 1) << name;
    EXPECT_EQ(count(name, "silu"), 1) << name;
    EXPECT_EQ(count(name, "rotary"), 2) << name;
    EXPECT_EQ(count(name, "rms-norm"), 2) << name;
  }
}

// The table leaves the norms out.
TEST(Llama, AgreesWithTheConfigurations) {
  SEXTANT_NEEDS_DATA(path, "llm-training/models.csv");
  const CsvTable table = CsvTable::read_file(path);
  int compared = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto known = llamas().find(table.text(row, table.column("model")));
    if (known == llamas().end()) continue;
    const auto get = [&](const char* column) { return table.integer(row, table.column(column)); };
    const std::int64_t norms = (2 * get("layers") + 1) * get("hidden");
    EXPECT_EQ(total_of(known->first, 1, 8).parameters, get("params") + norms) << known->first;
    ++compared;
  }
  EXPECT_EQ(compared, 6);  // all but TinyLlama
}

// Table of words once; attention 4 h², once per layer of the encoder and twice of the decoder, for heads of
// h / heads; MLP 2 h f; norms 2 and 3 per layer and one at the end of each stack; a table of 32 distances
// each.
TEST(T5, ParametersByFormula) {
  struct Size {
    std::int64_t hidden, inner, heads, layers;
  };
  const std::map<std::string, Size> sizes = {
      {"t5-small", {512, 2048, 8, 6}}, {"t5-base", {768, 3072, 12, 12}}, {"t5-large", {1024, 4096, 16, 24}}};
  for (const auto& [name, s] : sizes) {
    const std::int64_t attention = 4 * s.hidden * s.hidden;
    const std::int64_t mlp = 2 * s.hidden * s.inner;
    const std::int64_t layers = s.layers * (3 * attention + 2 * mlp + 5 * s.hidden);
    const std::int64_t want = 32128 * s.hidden + layers + 2 * (s.hidden + 32 * s.heads);
    EXPECT_EQ(total_of(name, 1, 64).parameters, want) << name;
    // Scores of three attentions; the projection to words reads the table again.
    const std::int64_t work = 64 * (s.layers * (3 * attention + 2 * mlp) + 32128 * s.hidden);
    EXPECT_EQ(total_of(name, 1, 64).macs, work + s.layers * 3 * 2 * 64 * 64 * s.hidden) << name;
  }
}

}  // namespace
}  // namespace sextant::nets
