#include <nlohmann/json.hpp>
#include <string>

#include "sextant/llm/step_model.h"

namespace sextant::llm {
namespace {

StepModel read_builtin_steps() {
  std::string text;
  [[maybe_unused]] const auto add = [&](const std::string& name, const char* contents) {
    if (name == "steps.json") text = contents;
  };
#define EMBEDDED(name, contents) add(name, contents);
#include "embedded_models.inc"
#undef EMBEDDED
  return step_model_from_json(parse_json(text, "steps.json"), "steps.json");
}

}  // namespace

const StepModel& builtin_step_model() {
  static const StepModel model = read_builtin_steps();
  return model;
}

}  // namespace sextant::llm
