#include "outside_reasons.h"

#include "sextant/core/text.h"

namespace sextant::predict {
namespace {

constexpr std::size_t kNamedFamilies = 5;
constexpr std::string_view kInference = "-inference";  // chosen by the mode, not by name

// "bert, gpt and opt"
std::string listed(std::vector<std::string> names, std::string_view last) {
  if (names.size() < 2) return join(names, "");
  const std::string end = names.back();
  names.pop_back();
  return join(names, ", ") + " " + std::string(last) + " " + end;
}

std::string families_of(const Stack& stack) {
  std::set<std::string> families;
  const std::string start = "net:";
  const auto& groups = stack.shared_effects.by_group;
  for (auto it = groups.lower_bound(start); it != groups.end() && it->first.starts_with(start); ++it) {
    if (const std::string family = family_of(it->first.substr(start.size())); !family.empty())
      families.insert(family);
  }
  std::vector<std::string> named(families.begin(), families.end());
  if (named.size() > kNamedFamilies) {
    named.resize(kNamedFamilies);
    named.emplace_back("other");
  }
  return listed(std::move(named), "and");
}

// The other stacks that have timed such networks in this mode.
std::string stacks_that_know(const CaseLabels& labels) {
  std::vector<std::string> names;
  for (const auto& [id, stack] : builtin_stacks()) {
    if (id.ends_with(kInference)) continue;
    const Stack& meant =
        labels.mode == to_string(jobs::Mode::infer) ? find_stack(id, jobs::Mode::infer) : stack;
    // Fits to half precision alone have nothing to offer to others.
    const std::set<std::string>& precisions = meant.range.precisions;
    const bool apt = precisions.contains(to_string(Precision::fp32)) || precisions.contains(labels.precision);
    if (apt && meant.range.modes.contains(labels.mode) && meant.shared_effects.knows_family(labels))
      names.push_back(id);
  }
  return listed(std::move(names), "or");
}

std::string family_reason(const Stack& stack, const CaseLabels& labels) {
  const std::string families = families_of(stack);
  const std::string fitted = stack.id + (families.empty() ? " has timed no network of the zoo"
                                                          : " was fitted on " + families + " networks");
  if (labels.family.empty()) return fitted + ", not on any like " + labels.net;
  const std::string others = stacks_that_know(labels);
  return fitted + ", not on " + labels.family +
         (others.empty() ? ", and neither was any other stack" : ", but `stack` " + others + " was");
}

}  // namespace

std::vector<std::string> outside_reasons(const Stack& stack, const Observation& question,
                                         const StackEstimate& estimate) {
  const FittedRange& range = stack.range;
  const RangeMiss miss = miss_of(range, question, estimate.step);
  std::vector<std::string> reasons;
  const auto add = [&](bool missed, const std::string& reason) {
    if (missed) reasons.push_back(reason);
  };
  if (!estimate.known_family) reasons.push_back(family_reason(stack, question.labels));
  add(miss.mode, stack.id + " has no timings of mode '" + question.labels.mode + "'");
  add(miss.precision, stack.id + " has no timings in " + question.labels.precision);
  add(miss.larger_batch,
      "the batch is above " + number_text(range.most_samples) + ", the largest that was timed");
  add(miss.less_work, "the step has less work than any that was timed");
  add(miss.more_work, "the step has more work than any that was timed");
  add(miss.slower_device, "the GPU is slower than any that was timed");
  add(miss.faster_device, "the GPU is faster than any that was timed");
  // A family that was not timed brings its own kinds.
  add(miss.unknown_kernels && estimate.known_family, "the network has kinds of kernels that were not timed");
  add(miss.full_memory, "the step needs nearly all the memory, or more than there is");
  return reasons;
}

}  // namespace sextant::predict
