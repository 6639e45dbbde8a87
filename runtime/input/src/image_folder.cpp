// A folder of images: a sub-folder for each class, classes and files in the order of their names. Pixels are
// normalised by (pixel / 255 - 0.5) / 0.25, which needs no pass over the files.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "file_bytes.h"
#include "sample_sources.h"
#include "sextant/core/text.h"
#include "sextant/input/image_file.h"

namespace sextant::input {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMaxFileBytes = 256 << 20;

bool is_image(const fs::path& file) {
  const std::string ending = to_lower(file.extension().string());
  constexpr std::array kEndings{".jpg", ".jpeg", ".png", ".ppm", ".pgm"};
  return !file.filename().string().starts_with(".") &&
         std::ranges::any_of(kEndings, [&](const char* known) { return ending == known; });
}

// Sorted, so that the same folder gives the same samples on every file system.
template <class Wanted>
std::vector<fs::path> entries(const fs::path& folder, Wanted wanted) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator it(folder, failed), end; !failed && it != end; it.increment(failed)) {
    if (wanted(*it)) found.push_back(it->path());
  }
  if (failed) throw SystemError(folder.string() + ": cannot be listed: " + failed.message());
  std::ranges::sort(found);
  return found;
}

class ImageFolder final : public SampleSet {
 public:
  ImageFolder(std::vector<fs::path> classes, const SampleShape& shape)
      : classes_(std::move(classes)), shape_(shape), to_values_(PixelScale{}) {
    for (std::size_t label = 0; label < classes_.size(); ++label) {
      for (const fs::path& file : entries(classes_[label], [](const fs::directory_entry& entry) {
             std::error_code unknown;
             return entry.is_regular_file(unknown) && is_image(entry.path());
           })) {
        files_.push_back({label, file.filename().string()});
      }
    }
  }

  [[nodiscard]] std::int64_t size() const override { return std::ssize(files_); }
  [[nodiscard]] std::int64_t classes() const override { return std::ssize(classes_); }
  [[nodiscard]] SampleShape shape() const override { return shape_; }
  std::int64_t read(std::int64_t index, std::span<float> values) const override {
    const File& file = files_[static_cast<std::size_t>(index)];
    const std::string path = (classes_[file.label] / file.name).string();
    const PixelImage image = decode_image(read_file_bytes(path, kMaxFileBytes), path, shape_);
    if (!channels_convert(image.shape.channels, shape_.channels)) {
      throw InputError(SourcePos{.file = path}, "the image has " + std::to_string(image.shape.channels) +
                                                    " channels, where the network reads " +
                                                    std::to_string(shape_.channels));
    }
    to_values_.fit_to_planes(image.view(), shape_, values);
    return static_cast<std::int64_t>(file.label);
  }

 private:
  struct File {
    std::size_t label;
    std::string name;
  };
  std::vector<fs::path> classes_;
  std::vector<File> files_;
  SampleShape shape_;
  PixelValues to_values_;
};

void write_bytes(const fs::path& path, const std::vector<std::uint8_t>& bytes) {
  std::ofstream out(path, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) throw SystemError(path.string() + ": cannot be written");
}

std::string padded(std::int64_t number, std::int64_t largest) {
  std::string text = std::to_string(number);
  return std::string(std::to_string(largest).size() - text.size(), '0') + text;
}

}  // namespace

fs::path split_folder(const fs::path& folder, Split split) {
  std::error_code unknown;
  const bool divided = fs::is_directory(folder / "train", unknown);
  if (split == Split::train) return divided ? folder / "train" : folder;
  if (!divided) return {};
  for (const char* name : {"test", "val"}) {
    if (fs::is_directory(folder / name, unknown)) return folder / name;
  }
  return {};
}

OpenedSamples open_image_folder(const SampleSetRequest& request, const SourcePos& at) {
  const fs::path folder = split_folder(request.name, request.split);
  if (folder.empty()) {
    throw InputError(at, request.name + " has no samples apart to test with",
                     "make sub-folders train and test, and in each one for every class");
  }
  std::vector<fs::path> classes = entries(folder, [](const fs::directory_entry& entry) {
    std::error_code unknown;
    return entry.is_directory(unknown) && !entry.path().filename().string().starts_with(".");
  });
  // The number of channels differs from file to file; read() looks at each.
  check_fits(request,
             {.what = folder.string(), .classes = std::ssize(classes), .channels = request.shape.channels},
             at);
  auto samples = std::make_unique<ImageFolder>(std::move(classes), request.shape);
  if (samples->size() == 0) {
    throw InputError(at, folder.string() + " has no images",
                     "a sub-folder for each class, with files .jpg, .jpeg, .png, .ppm or .pgm");
  }
  return samples;
}

void write_image_folder(const SampleSet& samples, const std::string& folder, ImageFormat format) {
  std::error_code unknown;
  const bool fresh = !fs::exists(folder, unknown);
  if (!fresh && !fs::is_empty(folder, unknown)) {
    throw InputError(SourcePos{.file = folder}, "the folder is there already, and not empty");
  }
  try {
    const SampleShape shape = samples.shape();
    std::vector<float> values(static_cast<std::size_t>(shape.values()));
    std::vector<std::uint8_t> pixels(values.size());
    for (std::int64_t label = 0; label < samples.classes(); ++label) {
      fs::create_directories(fs::path(folder) / padded(label, samples.classes()));
    }
    for (std::int64_t i = 0; i < samples.size(); ++i) {
      const std::int64_t label = samples.read(i, values);
      to_pixels(values, samples.scale(), shape, pixels);
      write_bytes(fs::path(folder) / padded(label, samples.classes()) /
                      (padded(i, samples.size()) + image_ending(format)),
                  encode_image({shape, pixels}, format));
    }
  } catch (const fs::filesystem_error& error) {
    fs::remove_all(folder, unknown);
    throw SystemError(folder + ": cannot be written: " + error.code().message());
  } catch (...) {
    fs::remove_all(folder, unknown);
    throw;
  }
}

}  // namespace sextant::input
