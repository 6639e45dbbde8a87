#include "sextant/input/sample_set.h"

#include <filesystem>

#include "sample_sources.h"
#include "sextant/core/text.h"
#include "sextant/input/pixels.h"

namespace sextant::input {
namespace {

constexpr std::int64_t kMaxChannels = 4096;
constexpr std::int64_t kMaxValues = std::int64_t{1} << 30;

void check_request(const SampleSetRequest& request, const SourcePos& at) {
  const SampleShape& shape = request.shape;
  const bool sides = shape.height >= 1 && shape.width >= 1 && shape.channels >= 1 &&
                     shape.height <= kMaxImageSide && shape.width <= kMaxImageSide &&
                     shape.channels <= kMaxChannels;
  if (!sides || shape.values() > kMaxValues) {
    throw InputError(at,
                     "samples of " + std::to_string(shape.channels) + " x " + std::to_string(shape.height) +
                         " x " + std::to_string(shape.width) + " values cannot be read",
                     "channels x height x width, up to 65535 a side");
  }
  if (request.classes < 1 || request.classes > kMaxValues) {
    throw InputError(at,
                     "a data set needs between 1 and 2^30 classes, not " + std::to_string(request.classes));
  }
}

bool is_record_file(const std::string& name) {
  return name.ends_with(".sxr");
}

std::string kind_of(const std::string& name) {
  return fold_name(name.substr(0, name.find(':')));
}

}  // namespace

void check_fits(const SampleSetRequest& request, const SourceKind& kind, const SourcePos& at) {
  if (kind.classes > request.classes) {
    throw InputError(at,
                     kind.what + " has " + std::to_string(kind.classes) + " classes, the network " +
                         std::to_string(request.classes),
                     "choose a network, or its number of classes, that has them all");
  }
  if (!channels_convert(kind.channels, request.shape.channels)) {
    throw InputError(at, kind.what + " has " + std::to_string(kind.channels) +
                             " channels, the network reads " + std::to_string(request.shape.channels));
  }
}

OpenedSamples open_sample_set(const SampleSetRequest& request, const SourcePos& at) {
  check_request(request, at);
  const std::string kind = kind_of(request.name);
  if (kind == "synthetic") return open_synthetic(request, at);
  if (kind == "fashion-mnist") return open_fashion_mnist(request, at);
  if (is_record_file(request.name)) return open_records(request, at);
  std::error_code unknown;
  if (std::filesystem::is_directory(request.name, unknown)) return open_image_folder(request, at);
  throw InputError(at, "there is no data set '" + request.name + "'",
                   "synthetic[:samples=N], fashion-mnist[:DIR], a folder of images, or a record file x.sxr");
}

bool has_test_split(const std::string& name) {
  const std::string kind = kind_of(name);
  if (kind == "synthetic" || kind == "fashion-mnist") return true;
  if (is_record_file(name)) return !split_records(name, Split::test).empty();
  return !split_folder(name, Split::test).empty();
}

}  // namespace sextant::input
