// Layouts as people write them, "tp=8,pp=4,dp=16,zero=1,recompute=selective,micro=1", and the search for the
// fastest one that fits in memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/llm/memory.h"
#include "sextant/llm/step_model.h"

namespace sextant::llm {

struct LayoutText {
  StepLayout layout;
  std::optional<std::int64_t> dp = {};  // none: what is left of the devices
  std::optional<double> micro_batch = {};
  std::optional<double> accumulation = {};  // micro-batches of a replica in a step
  bool says_sharding = false;               // else what is usual with the software
};
// Keys dp, tp, pp, vp, cp, ep, zero (0 to 3), shard (replicas that split the state among them; the rest hold
// copies), sp (0 or 1; with tp it is on), recompute, micro, accum. An InputError says which part is wrong and
// what is known.
LayoutText parse_layout(const std::string& text, const SourcePos& at = {});
std::string layout_text(const StepLayout& layout, double micro_batch);
// The case with this layout; data parallelism fills the devices where it is not given, and accumulation sets
// the sequences of a step.
StepCase with_layout(StepCase step, const LayoutText& layout);

// Why no software runs this layout: tensor parallelism that does not divide the MLP, stages of a device
// (interleaving) that do not divide the layers, or micro-batches that do not fill them. Empty: it runs.
std::string why_not_run(const StepCase& step);

struct LayoutSearch {
  MemoryQuestion job;    // layout and micro-batch of its case are looked for
  std::size_t most = 2;  // how many are wanted, the fastest first
};

struct LayoutChoice {
  StepCase step;
  StepTime time;
  MemoryVerdict memory;
};

struct LayoutChoices {
  std::vector<LayoutChoice> best;            // those that fit; the tight ones where none does; or none
  std::optional<LayoutChoice> risky = {};    // the fastest of the tight ones, where it beats the best
  std::size_t looked_at = 0;                 // layouts that the network and the batch allow
  std::optional<LayoutChoice> closest = {};  // where none fits, the one that lacks least
};
LayoutChoices search_layouts(const StepModel& model, const LayoutSearch& search);

}  // namespace sextant::llm
