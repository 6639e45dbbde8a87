// Whatever the bytes, a case file is refused whole, or every row has an answer or a reason.
#include "sextant/predict/case_file.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace sextant;
using namespace sextant::predict;

// Files that a row may name are none of the fuzzer's business.
bool names_files(const std::string& text) {
  return text.find(".onnx") != std::string::npos;
}

// Answers at once: what is tried here is reading, not predicting.
class Constant final : public Predictor {
  [[nodiscard]] Prediction predict(const Query& query) const override {
    Prediction p;
    p.iteration = Seconds{1};
    p.memory = memory_need(query.graph, query.cost, query.job);
    return p;
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (names_files(text)) return 0;
  try {
    const CsvTable table = CsvTable::parse(text, "fuzz.csv");
    const CaseAnswers answers = answer_cases(table, {catalog, Constant(), {.gpu = "t4"}});
    if (answers.of_row.size() != table.rows()) std::abort();
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const CaseAnswer& answer = answers.row(row);
      if (answer.error.empty() && answer.memory && !std::isfinite(answer.memory->value)) std::abort();
    }
    (void)misspelt_columns(table);
    for (const auto& m : read_measured(table, catalog, {.gpu = "t4"})) {
      if (!(m.step > Seconds{})) std::abort();
    }
  } catch (const InputError&) {
  }
  return 0;
}
