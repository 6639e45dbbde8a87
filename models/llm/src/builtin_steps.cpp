#include <nlohmann/json.hpp>

#include "builtin_text.h"
#include "sextant/llm/step_model.h"

namespace sextant::llm {
namespace {

StepModel read_builtin_steps() {
  return step_model_from_json(parse_json(builtin_text("steps.json"), "steps.json"), "steps.json");
}

}  // namespace

const StepModel& builtin_step_model() {
  static const StepModel model = read_builtin_steps();
  return model;
}

}  // namespace sextant::llm
