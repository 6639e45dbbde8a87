#include "sextant/nets/shape.h"

#include "sextant/core/error.h"

namespace sextant::nets {
namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 62;

[[noreturn]] void refuse() {
  throw InputError({}, "a tensor or an operation count beyond 2^62", "check the sizes given");
}

std::int64_t times(std::int64_t a, std::int64_t b) {
  if (a < 0 || b < 0) throw InputError("a tensor with a negative extent");
  if (a != 0 && b > kLargest / a) refuse();
  return a * b;
}

}  // namespace

std::int64_t element_count(const Shape& shape) {
  std::int64_t count = 1;
  for (const auto extent : shape) count = times(count, extent);
  return count;
}

std::int64_t checked_product(std::initializer_list<std::int64_t> factors) {
  std::int64_t product = 1;
  for (const auto factor : factors) product = times(product, factor);
  return product;
}

std::int64_t checked_sum(std::int64_t a, std::int64_t b) {
  if (a > kLargest - b) refuse();
  return a + b;
}

std::string to_string(const Shape& shape) {
  std::string text;
  for (const auto extent : shape) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text.empty() ? "scalar" : text;
}

}  // namespace sextant::nets
