// Any bytes make either an instance within its bounds, whose decisions can be carried out, or an InputError.
#include "sextant/capacity/instance.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sextant/capacity/method.h"

namespace {

void check(const sextant::capacity::Snapshot& snapshot) {
  for (const sextant::capacity::JobState& job : snapshot.jobs) {
    if (job.options.empty()) std::abort();
    for (const sextant::capacity::JobOption& option : job.options) {
      if (option.gpus < 1 || option.time.value <= 0 || option.spread < 0) std::abort();
    }
  }
  if (snapshot.jobs.size() > 20 || snapshot.nodes.size() > 20) return;  // enough for what is tried here
  const sextant::capacity::MethodChoice greedy = sextant::capacity::parse_method("greedy");
  const auto method = greedy.method->make({.parameters = greedy.parameters});
  if (!fault_of(snapshot, method->decide(snapshot)).empty()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sextant::catalog::Catalog catalog = sextant::catalog::builtin_catalog();
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const char* table : {"times", "throughputs"}) {  // would read a file: not what is tried here
    if (text.find(table) != std::string::npos) return 0;
  }
  try {
    sextant::capacity::Instance instance = sextant::capacity::parse_instance(text, "fuzz.toml", catalog);
    instance.networks.clear();
    settle_options(instance);
    check(instance.snapshot);
  } catch (const sextant::InputError&) {
  }
  return 0;
}
