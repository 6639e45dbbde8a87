// Any bytes as a scaling model: a model comes out or an InputError does; what comes out answers with finite
// times or says why not, and is written and read again unchanged.
#include "sextant/scaling/model.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "sextant/core/error.h"

namespace {

std::string text_of(const sextant::scaling::ScalingModel& model) {
  return to_json(model).dump(1, ' ', false, sextant::Json::error_handler_t::replace);
}

void check(const sextant::scaling::ScalingModel& model) {
  for (const auto& [key, cell] : model.cells) {
    for (const char* placement : {"1", "4", "44", "134"}) {
      try {
        const auto step =
            predict_step(model, {key.first, key.second, sextant::jobs::parse_placement(placement), 8});
        if (!std::isfinite(step.predicted.value) || step.low > step.high) std::abort();
      } catch (const sextant::InputError&) {
      }
    }
  }
  const std::string text = text_of(model);
  if (text_of(sextant::scaling::scaling_from_json(sextant::Json::parse(text), "again.json")) != text)
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    check(sextant::scaling::scaling_from_json(sextant::parse_json(text, "fuzz.json"), "fuzz.json"));
  } catch (const sextant::InputError&) {
  }
  return 0;
}
