#include "hadamard.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "finite_field.h"

namespace sextant::explore {
namespace {

using Signs = std::vector<std::vector<int>>;

// q a prime.
Signs cyclic(std::size_t q) {
  std::vector<int> generator = FiniteField{q, q}.quadratic_character();
  generator[0] = 1;
  Signs rows;
  for (std::size_t i = 0; i < q; ++i) {
    std::vector<int> row(q);
    for (std::size_t j = 0; j < q; ++j) row[j] = generator[(j + q - i) % q];
    rows.push_back(std::move(row));
  }
  rows.emplace_back(q, -1);
  return rows;
}

// Paley's second construction, a field of 4t + 1 elements: each entry of a symmetric conference matrix of one
// order more becomes a block of two by two.
Signs paley_second(const FiniteField& field) {
  const std::vector<int> character = field.quadratic_character();
  const std::size_t n = field.size + 1;
  Signs rows(2 * n, std::vector<int>(2 * n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      int entry = 0;
      if (i != j) entry = i == 0 || j == 0 ? 1 : character[field.difference(j - 1, i - 1)];
      const int unit = entry == 0 ? 1 : 0;  // the blocks: [1 -1; -1 -1] for 0, else entry times [1 1; 1 -1]
      rows[2 * i][2 * j] = unit + entry;
      rows[2 * i][2 * j + 1] = entry - unit;
      rows[2 * i + 1][2 * j] = entry - unit;
      rows[2 * i + 1][2 * j + 1] = -unit - entry;
    }
  }
  return rows;
}

// First rows of Williamson's four symmetric circulants of order 23, up to their middle: A^2 + B^2 + C^2 + D^2
// = 92 I, an order beyond Paley's constructions (Baumert, Golomb and Hall, Bull. AMS 68, 1962). Found by
// going through all symmetric rows.
constexpr std::array<std::string_view, 4> kWilliamson = {"+-+--+++++--", "+-+++--++-+-", "+--++-+-+---",
                                                         "+++++-++---+"};

// Blocks A B C D / -B A -D C / -C D A -B / -D -C B A.
Signs williamson() {
  constexpr std::size_t kOrder = 23;
  constexpr std::array<std::array<int, 4>, 4> kBlocks = {
      {{1, 2, 3, 4}, {-2, 1, -4, 3}, {-3, 4, 1, -2}, {-4, -3, 2, 1}}};
  Signs rows(4 * kOrder, std::vector<int>(4 * kOrder));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows.size(); ++j) {
      const int block = kBlocks[i / kOrder][j / kOrder];
      const std::size_t shift = (j % kOrder + kOrder - i % kOrder) % kOrder;
      const std::string_view row = kWilliamson[static_cast<std::size_t>(block < 0 ? -block : block) - 1];
      const bool plus = row[std::min(shift, kOrder - shift)] == '+';
      rows[i][j] = plus == (block > 0) ? 1 : -1;
    }
  }
  return rows;
}

Signs doubled(const Signs& half) {
  Signs rows;
  for (const int sign : {1, -1}) {
    for (const std::vector<int>& row : half) {
      std::vector<int> longer = row;
      for (const int value : row) longer.push_back(sign * value);
      rows.push_back(std::move(longer));
    }
  }
  return rows;
}

// Square, or empty.
Signs hadamard(std::size_t n) {
  if (n == 1) return {{1}};
  if (n == 2) return {{1, 1}, {1, -1}};
  if (n % 4 != 0) return {};
  if (is_prime(n - 1)) {
    Signs rows = cyclic(n - 1);
    for (std::vector<int>& row : rows) row.insert(row.begin(), 1);
    return rows;
  }
  const std::size_t q = n / 2 - 1;
  if (const auto field = finite_field(q); field && q % 4 == 1) return paley_second(*field);
  if (n == 92) return williamson();
  const Signs half = hadamard(n / 2);
  return half.empty() ? half : doubled(half);
}

}  // namespace

std::vector<std::vector<int>> screening_signs(std::size_t runs) {
  if (runs < 4 || runs % 4 != 0) return {};
  if (is_prime(runs - 1)) return cyclic(runs - 1);
  Signs rows = hadamard(runs);
  // The first column becomes all 1 and is dropped; then the last row becomes all -1.
  for (std::vector<int>& row : rows) {
    const int first = row.front();
    for (int& value : row) value *= first;
    row.erase(row.begin());
  }
  if (rows.empty()) return rows;
  const std::vector<int> last = rows.back();
  for (std::vector<int>& row : rows) {
    for (std::size_t j = 0; j < row.size(); ++j) row[j] *= -last[j];
  }
  return rows;
}

}  // namespace sextant::explore
