// Any bytes as classes of priority: classes come out or an InputError does; waits are never NaN, and only
// those of classes that keep up are finite.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sextant/core/error.h"
#include "sextant/queueing/priority.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto classes = sextant::queueing::priority_classes(sextant::CsvTable::parse(text, "fuzz.csv"));
    for (const auto& one : sextant::queueing::priority_mg1(classes).classes) {
      if (std::isnan(one.waiting.value) || one.waiting.value < 0) std::abort();
    }
  } catch (const sextant::InputError&) {
  }
  return 0;
}
