// Reading training data: a record file relative to a folder of JPEGs, samples of a folder relative to libjpeg
// alone on the same bytes, reading ahead relative to reading when asked, and made-up samples relative to
// copying.
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

// jpeglib.h needs FILE.
// clang-format off
#include <cstdio>
#include <jpeglib.h>
// clang-format on

#include "ratio.h"
#include "sextant/core/csv.h"
#include "sextant/input/batches.h"
#include "sextant/input/image_file.h"
#include "sextant/input/record_file.h"

namespace sextant::bench {
namespace {

constexpr input::SampleShape kShape{.channels = 3, .height = 64, .width = 64};
constexpr std::int64_t kSamples = 256;

// The same samples as JPEGs and as records, removed at the end.
class Files {
 public:
  Files() : folder_(std::filesystem::temp_directory_path() / ("sextant-bench-" + std::to_string(getpid()))) {
    std::filesystem::create_directory(folder_);
    const auto made =
        input::open_sample_set({.name = "synthetic:samples=" + std::to_string(kSamples), .shape = kShape});
    write_image_folder(*made, images(), input::ImageFormat::jpeg);
    write_record_file(*made, records());
  }
  ~Files() { std::filesystem::remove_all(folder_); }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  [[nodiscard]] std::string images() const { return (folder_ / "images").string(); }
  [[nodiscard]] std::string records() const { return (folder_ / "records.sxr").string(); }

 private:
  std::filesystem::path folder_;
};

double read_all(const input::SampleSet& samples) {
  std::vector<float> values(static_cast<std::size_t>(samples.shape().values()));
  double sum = 0;
  for (std::int64_t i = 0; i < samples.size(); ++i) sum += static_cast<double>(samples.read(i, values));
  return sum;
}

// What a loop written by hand does: no checks of sizes, errors end the program.
std::size_t decode_plainly(const std::string& bytes, std::vector<unsigned char>& pixels) {
  jpeg_decompress_struct info{};
  jpeg_error_mgr errors{};
  info.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  jpeg_read_header(&info, TRUE);
  jpeg_start_decompress(&info);
  const std::size_t row = static_cast<std::size_t>(info.output_width) * 3;
  pixels.resize(row * info.output_height);
  while (info.output_scanline < info.output_height) {
    unsigned char* at = pixels.data() + info.output_scanline * row;
    jpeg_read_scanlines(&info, &at, 1);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return pixels.size();
}

void records_against_images(benchmark::State& state) {
  const Files files;
  const auto images = input::open_sample_set({.name = files.images(), .shape = kShape});
  const auto records = input::open_sample_set({.name = files.records(), .shape = kShape});
  report_ratio(
      state, [&] { return read_all(*records); }, [&] { return read_all(*images); });
}
BENCHMARK(records_against_images)->UseManualTime()->Unit(benchmark::kMillisecond);

// Open, read, decode, check, scale to floats in planes: against decoding alone.
void images_against_plain_libjpeg(benchmark::State& state) {
  const Files files;
  const auto images = input::open_sample_set({.name = files.images(), .shape = kShape});
  std::vector<std::string> contents;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(files.images())) {
    if (entry.is_regular_file()) contents.push_back(read_text_file(entry.path().string()));
  }
  std::vector<unsigned char> pixels;
  report_ratio(
      state, [&] { return read_all(*images); },
      [&] {
        std::size_t total = 0;
        for (const std::string& bytes : contents) total += decode_plainly(bytes, pixels);
        return total;
      });
}
BENCHMARK(images_against_plain_libjpeg)->UseManualTime()->Unit(benchmark::kMillisecond);

// The caller works about as long on a batch as a reader does: on two idle cores half of the time is to be
// had.
void prefetch_against_none(benchmark::State& state) {
  const Files files;
  const auto images = input::open_sample_set({.name = files.images(), .shape = kShape});
  const auto plain = make_batches(*images, {.batch = 16});
  const auto ahead = make_batches(*images, {.batch = 16, .prefetch = 4});
  std::vector<unsigned char> pixels;
  const std::string jpeg = [&] {
    const std::filesystem::recursive_directory_iterator all(files.images());
    for (const auto& entry : all) {
      if (entry.is_regular_file()) return read_text_file(entry.path().string());
    }
    return std::string();
  }();
  const auto train = [&](input::BatchSource& source) {
    std::size_t total = 0;
    for (std::int64_t i = 0; i < source.batches_per_epoch(); ++i) {
      const input::Batch& batch = source.next(i);
      for (std::size_t work = 0; work < batch.labels.size(); ++work) total += decode_plainly(jpeg, pixels);
    }
    return total;
  };
  report_ratio(
      state, [&] { return train(*ahead); }, [&] { return train(*plain); });
}
BENCHMARK(prefetch_against_none)->UseManualTime()->Unit(benchmark::kMillisecond);

void synthetic_against_copy(benchmark::State& state) {
  const auto made = input::open_sample_set({.shape = {3, 224, 224}});
  std::vector<float> values(static_cast<std::size_t>(made->shape().values()));
  std::vector<float> copy(values.size());
  report_ratio(
      state, [&] { return made->read(1, values); },
      [&] {
        copy = values;
        return copy.back();
      });
}
BENCHMARK(synthetic_against_copy)->UseManualTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sextant::bench
