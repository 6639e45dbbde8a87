// What open_sample_set chooses from, a function each; requests have been checked by then.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "sextant/input/sample_set.h"

namespace sextant::input {

using OpenedSamples = std::unique_ptr<SampleSet>;

OpenedSamples open_synthetic(const SampleSetRequest& request, const SourcePos& at);
OpenedSamples open_fashion_mnist(const SampleSetRequest& request, const SourcePos& at);
OpenedSamples open_image_folder(const SampleSetRequest& request, const SourcePos& at);
OpenedSamples open_records(const SampleSetRequest& request, const SourcePos& at);

// Where the samples of a split are: train/ and test/ or val/ of a folder that has them; x.test.sxr beside
// x.sxr. An empty path: there are none to test with.
std::filesystem::path split_folder(const std::filesystem::path& folder, Split split);
std::filesystem::path split_records(const std::filesystem::path& file, Split split);

// `what` with its classes and channels, as messages have them.
struct SourceKind {
  std::string what;
  std::int64_t classes = 0;
  std::int64_t channels = 0;
};
// InputError if the network has fewer classes, or channels that these do not convert to.
void check_fits(const SampleSetRequest& request, const SourceKind& kind, const SourcePos& at);

}  // namespace sextant::input
