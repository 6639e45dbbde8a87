// Sums of regression trees, grown by the XGBoost library (Chen and Guestrin 2016) on one thread. The
// trees are kept in this plain form, so a model file needs no library to be read or to predict; sums
// are in single precision and in the library's order, so they are its predictions to the bit.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sextant/learn/method.h"
#include "target.h"

namespace sextant::learn {

struct TreeNode {
  std::int32_t left = -1;  // -1: a leaf. Children stand after their parent, so no tree has a cycle
  std::int32_t right = -1;
  std::uint32_t column = 0;
  float value = 0;  // of a leaf; otherwise x < value goes left
};
using Tree = std::vector<TreeNode>;

// The trees work in single precision; what it cannot hold is as good as its largest number.
float narrowed(double value);

class Forest final : public Regressor {
 public:
  Forest(std::vector<Tree> trees, Target target) : trees_(std::move(trees)), target_(target) {}
  [[nodiscard]] double predict(std::span<const double> x) const override;
  [[nodiscard]] Json to_json() const override;
  [[nodiscard]] float margin(std::span<const float> x) const;

 private:
  std::vector<Tree> trees_;
  Target target_;
};

struct BoostOptions {
  std::vector<std::pair<std::string, std::string>> settings;  // of the library
  int rounds = 1;
};

std::unique_ptr<Forest> grow_forest(const Sample& sample, const Target& target, const BoostOptions& options);
std::unique_ptr<Regressor> load_forest(const Json& json, const std::vector<SampleColumn>& columns);

}  // namespace sextant::learn
