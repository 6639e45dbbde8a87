// Any bytes as a table of cases: each row becomes a case whose time is a number, or an InputError says why
// not.
#include "sextant/llm/step_rows.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sextant/llm/step_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sextant::catalog::Catalog catalog = sextant::catalog::builtin_catalog();
  try {
    const auto table =
        sextant::CsvTable::parse(std::string(reinterpret_cast<const char*>(data), size), "fuzz.csv");
    sextant::llm::StepTable steps(table, catalog);
    for (std::size_t row = 0; row < table.rows(); ++row) {
      try {
        const auto step = steps.step(row);
        check(step);
        const auto memory = training_memory(steps.memory(row, step), sextant::llm::usable_memory(step.gpu));
        if (!std::isfinite(memory.total().value)) std::abort();
        const auto time = predict_step(sextant::llm::builtin_step_model(), step);
        if (!std::isfinite(time.step.value) || time.low > time.high) std::abort();
      } catch (const sextant::InputError&) {
      }
    }
  } catch (const sextant::InputError&) {
  }
  return 0;
}
