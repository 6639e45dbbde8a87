// Whatever the bytes, an expression is read or refused, and what was read has a value or an error.
#include "sextant/explore/expression.h"

#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto expression = sextant::explore::Expression::parse(
        std::string(reinterpret_cast<const char*>(data), size), {"fuzz", 1, 1});
    for (const bool texts : {false, true}) {
      try {
        (void)expression.value([&](const std::string& name) -> sextant::explore::ExpressionValue {
          if (texts && name.size() % 2 == 0) return name;
          return static_cast<double>(name.size());
        });
        (void)expression.holds([](const std::string&) -> sextant::explore::ExpressionValue { return 0.0; });
      } catch (const sextant::InputError&) {  // a text in the place of a number
      }
    }
  } catch (const sextant::InputError&) {
  }
  return 0;
}
