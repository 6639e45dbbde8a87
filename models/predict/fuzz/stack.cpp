// Whatever the bytes, a stack is read or refused; what was read predicts a time that is not negative, and
// is read again from what it writes.
#include "sextant/predict/stack.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sextant;
  using namespace sextant::predict;
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  static const std::vector<Measurement> asked = [] {
    jobs::Job job;
    job.net = "alexnet";
    return std::vector<Measurement>{{job, catalog.gpus.get("t4").id, Seconds{1}}};
  }();
  static const std::vector<Observation> question = observe(asked, catalog, {});
  Stack stack;
  try {
    stack = stack_from_json(std::string(reinterpret_cast<const char*>(data), size), "fuzz.json");
  } catch (const InputError&) {
    return 0;
  }
  const StackEstimate e = estimate(stack, question.front());
  if (std::isnan(e.step.total) || e.step.total < 0 || std::isnan(e.log_total)) std::abort();
  (void)outside(stack.range, question.front(), e.step);
  const std::string text = to_json(stack).dump();
  if (stack_from_json(text, "again.json").id != stack.id) std::abort();
  return 0;
}
