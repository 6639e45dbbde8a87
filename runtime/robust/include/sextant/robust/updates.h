// What clients or workers send in one round, seen from the server: n rows of d numbers, wherever they lie. A
// row is a gradient or the change of a model; rules and attacks do not ask which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sextant::robust {

struct Update {
  std::span<const float> values = {};
  std::int64_t client = 0;  // the same number in every round: rules with a memory go by it
  double weight = 1;        // samples, say; rules say whether they look at it
};

struct Updates {
  std::size_t dimension = 0;  // of a row that is as it should be
  std::vector<Update> rows = {};

  [[nodiscard]] std::size_t size() const { return rows.size(); }
};

}  // namespace sextant::robust
