// Rules and attacks as people write them: the first byte says which.
#include <cstdint>
#include <string_view>

#include "sextant/robust/attack.h"
#include "sextant/robust/rule.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    if (data[0] == 'r') {
      const auto choice = sextant::robust::parse_rule(text);
      // What is written is read again as the same.
      if (!(sextant::robust::parse_rule(sextant::robust::to_string(choice)).parameters == choice.parameters))
        __builtin_trap();
      sextant::robust::assumed_attackers(choice, size);
      sextant::robust::check_enough(choice, size);
    } else {
      const auto choice = sextant::robust::parse_attack(text);
      sextant::robust::make_attack(choice);
    }
  } catch (const sextant::InputError&) {
  }
  return 0;
}
