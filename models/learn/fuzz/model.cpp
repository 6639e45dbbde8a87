// Any bytes as a model file: a model comes out or an InputError does; what comes out predicts finite
// numbers and is written and read again unchanged.
#include "sextant/learn/model.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "sextant/core/error.h"

namespace {

void check(const sextant::learn::Model& model) noexcept {
  const std::size_t columns = sextant::learn::sample_columns(model.features).size();
  for (const double value : {0.0, 1.0, -3.5e7}) {
    const auto prediction = predict(model, {std::vector<double>(columns, value), false});
    if (!std::isfinite(prediction.value)) std::abort();
  }
  const std::string text = to_json(model).dump(1, ' ', false, sextant::Json::error_handler_t::replace);
  const auto again = sextant::learn::model_from_json(sextant::Json::parse(text), "again.json");
  if (to_json(again).dump(1, ' ', false, sextant::Json::error_handler_t::replace) != text) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    check(sextant::learn::model_from_json(sextant::parse_json(text, "fuzz.json"), "fuzz.json"));
  } catch (const sextant::InputError&) {
  }
  return 0;
}
