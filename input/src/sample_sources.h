// What open_sample_set chooses from, a function each; requests have been checked by then.
#pragma once

#include <memory>
#include <string>

#include "sextant/input/sample_set.h"

namespace sextant {

using OpenedSamples = std::unique_ptr<SampleSet>;

OpenedSamples open_synthetic(const SampleSetRequest& request, const SourcePos& at);
OpenedSamples open_fashion_mnist(const SampleSetRequest& request, const SourcePos& at);

// `what` with its classes and channels, as messages have them.
struct SourceKind {
  std::string what;
  std::int64_t classes = 0;
  std::int64_t channels = 0;
};
// InputError if the network has fewer classes, or channels that these do not convert to.
void check_fits(const SampleSetRequest& request, const SourceKind& kind, const SourcePos& at);

}  // namespace sextant
