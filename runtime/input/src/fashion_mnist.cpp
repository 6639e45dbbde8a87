// Fashion-MNIST (Xiao, Rasul, Vollgraf 2017) as Debian packages it: four IDX files, 28 x 28 grey pixels, ten
// classes. Values are normalised by mean and deviation of the training pixels, for both splits.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sample_sources.h"
#include "sextant/input/idx.h"
#include "sextant/input/pixels.h"

namespace sextant::input {
namespace {

constexpr const char* kDefaultFolder = "/usr/share/datasets/fashion-mnist";
constexpr std::int64_t kClasses = 10;

PixelScale scale_of(const std::vector<std::uint8_t>& pixels) {
  std::array<std::int64_t, 256> counts{};
  for (const std::uint8_t pixel : pixels) ++counts[pixel];
  double sum = 0;
  double squares = 0;
  for (std::size_t pixel = 0; pixel < counts.size(); ++pixel) {
    const double value = static_cast<double>(pixel) / 255;
    sum += static_cast<double>(counts[pixel]) * value;
    squares += static_cast<double>(counts[pixel]) * value * value;
  }
  const auto count = static_cast<double>(pixels.size());
  const double mean = sum / count;
  const double variance = squares / count - mean * mean;
  return {.mean = mean, .deviation = variance > 1e-12 ? std::sqrt(variance) : 1};
}

class FashionMnist final : public SampleSet {
 public:
  FashionMnist(IdxArray images, std::vector<std::uint8_t> labels, PixelScale scale, SampleShape shape)
      : pixels_(std::move(images.values)),
        labels_(std::move(labels)),
        own_{.channels = 1, .height = images.dims[1], .width = images.dims[2]},
        shape_(shape),
        scale_(scale),
        to_values_(scale) {}

  [[nodiscard]] std::int64_t size() const override { return std::ssize(labels_); }
  [[nodiscard]] std::int64_t classes() const override { return kClasses; }
  [[nodiscard]] SampleShape shape() const override { return shape_; }
  [[nodiscard]] PixelScale scale() const override { return scale_; }
  std::int64_t read(std::int64_t index, std::span<float> values) const override {
    const auto i = static_cast<std::size_t>(index);
    const auto count = static_cast<std::size_t>(own_.values());
    to_values_.fit_to_planes({own_, std::span(pixels_).subspan(i * count, count)}, shape_, values);
    return labels_[i];
  }

 private:
  std::vector<std::uint8_t> pixels_;
  std::vector<std::uint8_t> labels_;
  SampleShape own_;
  SampleShape shape_;
  PixelScale scale_;
  PixelValues to_values_;
};

IdxArray read_part(const std::filesystem::path& folder, const std::string& stem, std::size_t dims,
                   const SourcePos& at) {
  for (const char* ending : {".gz", ""}) {
    const std::filesystem::path path = folder / (stem + ending);
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown)) continue;
    IdxArray array = read_idx(path.string());
    if (array.dims.size() != dims) {
      throw InputError(SourcePos{.file = path.string()}, "the file has " + std::to_string(array.dims.size()) +
                                                             " dimensions, not " + std::to_string(dims));
    }
    return array;
  }
  throw InputError(at, "Fashion-MNIST is not in " + folder.string() + ": no " + stem + ".gz",
                   "install the package dataset-fashion-mnist, or give its folder: fashion-mnist:DIR");
}

void check_labels(const IdxArray& images, const IdxArray& labels, const std::filesystem::path& folder) {
  const SourcePos where{.file = folder.string()};
  if (images.dims[0] != labels.dims[0]) {
    throw InputError(
        where, std::to_string(images.dims[0]) + " images, but " + std::to_string(labels.dims[0]) + " labels");
  }
  if (images.dims[1] > kMaxImageSide || images.dims[2] > kMaxImageSide ||
      images.dims[1] * images.dims[2] > kMaxImagePixels) {
    throw InputError(where, "images are too large");
  }
  if (std::ranges::any_of(labels.values, [](std::uint8_t label) { return label >= kClasses; })) {
    throw InputError(where, "a label is not below " + std::to_string(kClasses));
  }
}

}  // namespace

OpenedSamples open_fashion_mnist(const SampleSetRequest& request, const SourcePos& at) {
  check_fits(request, {.what = "Fashion-MNIST", .classes = kClasses, .channels = 1}, at);
  const std::size_t colon = request.name.find(':');
  const std::filesystem::path folder =
      colon == std::string::npos ? kDefaultFolder : request.name.substr(colon + 1);
  const std::string prefix = request.split == Split::train ? "train" : "t10k";
  IdxArray images = read_part(folder, prefix + "-images-idx3-ubyte", 3, at);
  IdxArray labels = read_part(folder, prefix + "-labels-idx1-ubyte", 1, at);
  check_labels(images, labels, folder);
  const PixelScale scale = request.split == Split::train
                               ? scale_of(images.values)
                               : scale_of(read_part(folder, "train-images-idx3-ubyte", 3, at).values);
  return std::make_unique<FashionMnist>(std::move(images), std::move(labels.values), scale, request.shape);
}

}  // namespace sextant::input
