// Growing trees through XGBoost's C interface.
#include <xgboost/c_api.h>

#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "forest.h"
#include "sextant/core/error.h"

namespace sextant::learn {
namespace {

// The library's exact split search sorts every column once; above this many rows its histograms are
// faster and no worse.
constexpr std::size_t kExactRows = 20000;

void require(int status) {
  if (status != 0) throw SystemError(std::string("XGBoost: ") + XGBGetLastError());
}

struct FreeMatrix {
  void operator()(void* handle) const { XGDMatrixFree(handle); }
};
struct FreeBooster {
  void operator()(void* handle) const { XGBoosterFree(handle); }
};
using MatrixHandle = std::unique_ptr<void, FreeMatrix>;
using Booster = std::unique_ptr<void, FreeBooster>;

MatrixHandle matrix_of(const Sample& sample, const Target& target) {
  std::vector<float> x;
  x.reserve(sample.x.rows() * sample.x.columns());
  for (std::size_t i = 0; i < sample.x.rows(); ++i) {
    for (const double value : sample.x.row(i)) x.push_back(narrowed(value));
  }
  std::vector<float> z;
  for (const double y : sample.y) z.push_back(narrowed(target.forward(y)));
  DMatrixHandle handle = nullptr;
  // Missing values are refused before; infinity cannot be in the data.
  require(XGDMatrixCreateFromMat_omp(x.data(), sample.x.rows(), sample.x.columns(),
                                     std::numeric_limits<float>::infinity(), &handle, 1));
  MatrixHandle matrix(handle);
  require(XGDMatrixSetFloatInfo(handle, "label", z.data(), z.size()));
  return matrix;
}

Booster train(const MatrixHandle& matrix, const BoostOptions& options, std::size_t rows) {
  require(XGBSetGlobalConfig(R"({"verbosity": 0})"));
  DMatrixHandle data = matrix.get();
  BoosterHandle handle = nullptr;
  require(XGBoosterCreate(&data, 1, &handle));
  Booster booster(handle);
  const auto set = [&](const char* name, const std::string& value) {
    require(XGBoosterSetParam(handle, name, value.c_str()));
  };
  set("nthread", "1");
  set("objective", "reg:squarederror");
  set("base_score", "0");
  set("tree_method", rows <= kExactRows ? "exact" : "hist");
  for (const auto& [name, value] : options.settings) set(name.c_str(), value);
  for (int round = 0; round < options.rounds; ++round) require(XGBoosterUpdateOneIter(handle, round, data));
  return booster;
}

// The library may reuse the numbers of pruned nodes; depth-first renumbering puts children after
// their parent.
void copy_node(const nlohmann::json& from, std::size_t id, Tree& to) {
  const std::size_t at = to.size();
  to.emplace_back();
  const auto left = from.at("left_children").at(id).get<std::int32_t>();
  to[at].value = from.at("split_conditions").at(id).get<float>();
  if (left < 0) return;
  to[at].column = from.at("split_indices").at(id).get<std::uint32_t>();
  to[at].left = static_cast<std::int32_t>(to.size());
  copy_node(from, static_cast<std::size_t>(left), to);
  to[at].right = static_cast<std::int32_t>(to.size());
  copy_node(from, from.at("right_children").at(id).get<std::size_t>(), to);
}

// In the library's binary form of JSON: most of the time of a small fit would go into decimal digits.
std::vector<Tree> trees_of(const Booster& booster) {
  bst_ulong length = 0;
  const char* text = nullptr;
  require(XGBoosterSaveModelToBuffer(booster.get(), R"({"format": "ubj"})", &length, &text));
  const auto json = nlohmann::json::from_ubjson(text, text + length);
  std::vector<Tree> trees;
  for (const auto& tree : json.at("learner").at("gradient_booster").at("model").at("trees")) {
    trees.emplace_back();
    copy_node(tree, 0, trees.back());
  }
  return trees;
}

}  // namespace

std::unique_ptr<Forest> grow_forest(const Sample& sample, const Target& target, const BoostOptions& options) {
  const MatrixHandle matrix = matrix_of(sample, target);
  const Booster booster = train(matrix, options, sample.x.rows());
  return std::make_unique<Forest>(trees_of(booster), target);
}

}  // namespace sextant::learn
