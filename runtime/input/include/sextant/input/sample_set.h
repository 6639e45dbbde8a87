// Data sets: numbered samples of one shape with a label. Where they come from (synthetic, Fashion-MNIST, a
// folder of images, a record file) is told apart by the name that the user gives.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sextant/core/error.h"

namespace sextant::input {

// What a network reads: images of channels x height x width, values about 0 with deviation about 1.
struct SampleShape {
  std::int64_t channels = 1;
  std::int64_t height = 28;
  std::int64_t width = 28;
  [[nodiscard]] std::int64_t values() const { return channels * height * width; }
  bool operator==(const SampleShape&) const = default;
};

// How pixels become values: (pixel / 255 - mean) / deviation.
struct PixelScale {
  double mean = 0.5;
  double deviation = 0.25;
  bool operator==(const PixelScale&) const = default;
};

class SampleSet {
 public:
  virtual ~SampleSet() = default;
  [[nodiscard]] virtual std::int64_t size() const = 0;
  [[nodiscard]] virtual std::int64_t classes() const = 0;
  [[nodiscard]] virtual SampleShape shape() const = 0;
  // Writes shape().values() floats and gives the label, in [0, classes()). Safe to call from many threads.
  virtual std::int64_t read(std::int64_t index, std::span<float> values) const = 0;
  // With which values become pixels again, for writing them to files.
  [[nodiscard]] virtual PixelScale scale() const { return {}; }
};

enum class Split { train, test };

// What is asked of a data set: the network decides on the shape (grey images are repeated over channels,
// small ones padded with black, large ones scaled down; see pixels.h).
struct SampleSetRequest {
  std::string name = "synthetic";  // synthetic[:samples=N], fashion-mnist[:DIR], a folder, a .sxr record file
  Split split = Split::train;
  SampleShape shape = {};
  std::int64_t classes = 10;  // of the network; a data set with more is an InputError
  std::uint64_t seed = 0;
};

// InputError for a data set that is missing, empty, or does not fit the request; what is corrupt is found
// here where that is cheap (headers, sizes, checksums of indexes), else in read().
std::unique_ptr<SampleSet> open_sample_set(const SampleSetRequest& request, const SourcePos& at = {});

// False where a data set has no samples apart to test with: a folder without train/ and test/, a record file
// x.sxr without x.test.sxr. Asking such a one for Split::test is an InputError.
bool has_test_split(const std::string& name);

}  // namespace sextant::input
