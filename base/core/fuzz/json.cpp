// Whatever the bytes, JSON is read or refused with a position.
#include "sextant/core/json.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "sextant/core/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    (void)sextant::parse_json(std::string(reinterpret_cast<const char*>(data), size), "fuzz.json");
  } catch (const sextant::InputError&) {
  }
  return 0;
}
