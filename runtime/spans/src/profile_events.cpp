#include "profile_events.h"

#include <algorithm>
#include <array>

#include "span_phases.h"

namespace sextant::spans {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOlderNames = {{
    {"Operator", "cpu_op"},
    {"Kernel", "kernel"},
    {"Memcpy", "gpu_memcpy"},
    {"Memset", "gpu_memset"},
    {"Runtime", "cuda_runtime"},
    {"Python", "python_function"},
}};

constexpr std::array<std::string_view, 13> kCategories = {
    "cpu_op",     "user_annotation", "gpu_user_annotation", "kernel",      "gpu_memcpy",
    "gpu_memset", "cuda_runtime",    "cuda_driver",         "hip_runtime", "python_function",
    "cuda_sync",  "overhead",        "privateuse1_runtime"};

constexpr std::array<std::string_view, 4> kCollectiveKernels = {"nccl", "rccl", "deep_ep::", "nvshmem"};
constexpr std::array<std::string_view, 3> kCollectiveCalls = {"gloo:", "mpi:", "ucc:"};

bool starts_with_any(std::string_view text, const auto& starts) {
  return std::ranges::any_of(starts, [&](std::string_view start) { return text.starts_with(start); });
}

}  // namespace

std::string category_of(std::string_view written) {
  const auto older = std::ranges::find(kOlderNames, written, &decltype(kOlderNames)::value_type::first);
  if (older != kOlderNames.end()) return std::string(older->second);
  const bool known = std::ranges::find(kCategories, written) != kCategories.end();
  return known ? std::string(written) : std::string();
}

bool is_copy_category(std::string_view category) {
  return category == "gpu_memcpy" || category == "gpu_memset";
}

bool is_device_category(std::string_view category) {
  return category == "kernel" || is_copy_category(category);
}

bool names_a_collective_kernel(std::string_view event) {
  constexpr std::string_view kReturnsNothing = "void ";
  if (event.starts_with(kReturnsNothing)) event.remove_prefix(kReturnsNothing.size());
  return starts_with_any(event, kCollectiveKernels);
}

bool names_a_collective_call(std::string_view event) {
  return starts_with_any(event, kCollectiveCalls);
}

bool names_a_loader(std::string_view event) {
  return event.starts_with("enumerate(DataLoader)");
}

bool names_an_annotation(std::string_view event) {
  return names_an_iteration(event) || names_a_loader(event) || event.starts_with("Optimizer.");
}

std::string_view category(const Span& span) {
  for (const auto& [name, value] : span.attributes) {
    const auto* text = std::get_if<std::string>(&value);
    if (name == kCategory && text != nullptr) return *text;
  }
  return {};
}

}  // namespace sextant::spans
