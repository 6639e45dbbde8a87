#include <algorithm>
#include <array>

#include "sextant/core/embedded_file.h"
#include "sextant/core/text.h"
#include "sextant/predict/stack.h"

namespace sextant::predict {
namespace {

// A name without a version means the newest.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kNewest = {
    {{"pytorch", "pytorch-2.1"}, {"tensorflow", "tensorflow-2.5"}}};

// Mixed precision of today was timed with other kernels than fp32: the name means the stack that knows it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 1> kNewestInHalf = {
    {{"pytorch", "pytorch-2.x"}}};

constexpr std::initializer_list<EmbeddedFile> kStackFiles = {
#include "embedded_stacks.inc"
};

std::map<std::string, Stack> read_builtin() {
  std::map<std::string, Stack> stacks;
  for (const EmbeddedFile& file : kStackFiles) {
    Stack stack = stack_from_json(std::string(file.text), file.name);
    stacks.emplace(stack.id, std::move(stack));
  }
  return stacks;
}

}  // namespace

const std::map<std::string, Stack>& builtin_stacks() {
  static const std::map<std::string, Stack> all = read_builtin();
  return all;
}

const Stack& find_stack(const std::string& name, const SourcePos& at) {
  std::string id = name;
  for (const auto& [plain, newest] : kNewest) {
    if (fold_name(name) == plain) id = newest;
  }
  std::vector<std::string> names;
  for (const auto& [known, stack] : builtin_stacks()) {
    if (fold_name(known) == fold_name(id)) return stack;
    names.push_back(known);
  }
  throw InputError(
      at, "unknown stack '" + name + "'",
      name_hint(name, names) + "; 'sextant fit --method kernel' makes another, `model` reads it");
}

const Stack& find_stack(const std::string& name, jobs::Mode mode, const SourcePos& at) {
  const Stack& stack = find_stack(name, at);
  if (mode != jobs::Mode::infer) return stack;
  const auto inference = builtin_stacks().find(stack.id + "-inference");
  return inference == builtin_stacks().end() ? stack : inference->second;
}

const Stack& find_stack(const jobs::Job& job, const SourcePos& at) {
  if (is_half(job.precision)) {
    for (const auto& [plain, newest] : kNewestInHalf) {
      if (fold_name(job.stack) == plain) return find_stack(std::string(newest), job.mode, at);
    }
  }
  return find_stack(job.stack, job.mode, at);
}

// Stacks of mixed precision alone have kernels that the others do not: what they know says nothing of these.
bool shipped_stacks_know_family(const CaseLabels& labels) {
  return std::ranges::any_of(builtin_stacks(), [&](const auto& entry) {
    const Stack& stack = entry.second;
    return stack.range.precisions.contains(to_string(Precision::fp32)) &&
           stack.shared_effects.knows_family(labels);
  });
}

}  // namespace sextant::predict
