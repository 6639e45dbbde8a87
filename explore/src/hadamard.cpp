#include "hadamard.h"

namespace sextant {
namespace {

using Signs = std::vector<std::vector<int>>;

bool is_prime(std::size_t n) {
  if (n < 2) return false;
  for (std::size_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return true;
}

// 1 for squares modulo q, -1 for others, 0 for 0.
std::vector<int> quadratic_character(std::size_t q) {
  std::vector<int> character(q, -1);
  character[0] = 0;
  for (std::size_t x = 1; x < q; ++x) character[x * x % q] = 1;
  return character;
}

Signs cyclic(std::size_t q) {
  std::vector<int> generator = quadratic_character(q);
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

// Paley's second construction, q a prime of the form 4t + 1: each entry of a symmetric conference matrix of
// order q + 1 becomes a block of two by two.
Signs paley_second(std::size_t q) {
  const std::vector<int> character = quadratic_character(q);
  const std::size_t n = q + 1;
  Signs rows(2 * n, std::vector<int>(2 * n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      int entry = 0;
      if (i != j) entry = i == 0 || j == 0 ? 1 : character[(j + q - i) % q];
      const int unit = entry == 0 ? 1 : 0;  // the blocks: [1 -1; -1 -1] for 0, else entry times [1 1; 1 -1]
      rows[2 * i][2 * j] = unit + entry;
      rows[2 * i][2 * j + 1] = entry - unit;
      rows[2 * i + 1][2 * j] = entry - unit;
      rows[2 * i + 1][2 * j + 1] = -unit - entry;
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
  if (q % 4 == 1 && is_prime(q)) return paley_second(q);
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

}  // namespace sextant
