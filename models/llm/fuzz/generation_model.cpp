// Any bytes as a model of generation: a model comes out or an InputError does; what comes out is written and
// read again unchanged.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "sextant/core/error.h"
#include "sextant/llm/generation.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto model =
        sextant::llm::generation_model_from_json(sextant::parse_json(text, "fuzz.json"), "fuzz.json");
    const auto written = [](const sextant::llm::GenerationModel& one) {
      return to_json(one).dump(1, ' ', false, sextant::Json::error_handler_t::replace);
    };
    const std::string once = written(model);
    if (written(sextant::llm::generation_model_from_json(sextant::Json::parse(once), "again.json")) != once)
      std::abort();
  } catch (const sextant::InputError&) {
  }
  return 0;
}
