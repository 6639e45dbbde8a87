// The knots of the batch law for a question: its job at the batches that the stack was fitted on. They are
// computed once for all questions that differ in the batch alone.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "batch_law.h"
#include "sextant/predict/stack.h"

namespace sextant::predict {

class BatchKnots {
 public:
  // `anchor` takes the place of what the stack knows of the device; none: nullptr. `labels` are the
  // question's. Empty where nothing that was learnt depends on the batch.
  const std::vector<BatchKnot>& of(const Stack& stack, const Anchor* anchor, const Query& query,
                                   const CaseLabels& labels) const;

 private:
  mutable std::mutex mutex_ = {};
  mutable std::map<std::string, std::unique_ptr<const std::vector<BatchKnot>>> known_ = {};
};

// The question as the stack sees it.
Observation observation_of(const Query& query, const StackTraits& traits);

}  // namespace sextant::predict
