#include "input_files.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace sextant::measure {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostClasses = 1 << 20;

struct OutOfTime {};

// As many samples of a data set as are wanted, evenly spaced, since folders are sorted by class.
class SomeSamples final : public input::SampleSet {
 public:
  SomeSamples(const input::SampleSet& all, std::int64_t count, const std::function<bool()>& keep_going)
      : all_(all), count_(count), keep_going_(keep_going) {}
  [[nodiscard]] std::int64_t size() const override { return count_; }
  [[nodiscard]] std::int64_t classes() const override { return all_.classes(); }
  [[nodiscard]] input::SampleShape shape() const override { return all_.shape(); }
  [[nodiscard]] input::PixelScale scale() const override { return all_.scale(); }
  std::int64_t read(std::int64_t index, std::span<float> values) const override {
    if (!keep_going_()) throw OutOfTime();
    return all_.read(index * all_.size() / count_, values);
  }

 private:
  const input::SampleSet& all_;
  std::int64_t count_;
  const std::function<bool()>& keep_going_;
};

std::unique_ptr<input::SampleSet> open_data(const InputDesign& design) {
  const std::int64_t most = *std::ranges::max_element(design.samples);
  input::SampleSetRequest request{
      .name = design.data, .shape = design.shape, .classes = kMostClasses, .seed = design.seed};
  if (design.data == "synthetic") {
    request.name += ":samples=" + std::to_string(most);
    request.classes = 10;
  }
  auto samples = open_sample_set(request, at_field("data"));
  if (samples->size() < most) {
    throw InputError(at_field("data"),
                     "'" + design.data + "' has " + std::to_string(samples->size()) +
                         " samples, fewer than " + std::to_string(most),
                     "take fewer `samples`, or synthetic data");
  }
  return samples;
}

fs::path parent_of(const InputDesign& design) {
  std::error_code failed;
  const fs::path parent = design.scratch.empty() ? fs::temp_directory_path(failed) : design.scratch;
  if (failed) throw SystemError("no folder for temporary files: " + failed.message());
  return parent;
}

// Raw pixels are the largest form, but for noise in JPEG or PNG, which a tenth more covers.
void check_room(const InputDesign& design, const fs::path& folder) {
  std::error_code failed;
  const fs::space_info space = fs::space(folder, failed);
  if (failed) return;
  double needed = 0;
  for (const std::int64_t samples : design.samples) {
    needed += 1.1 * static_cast<double>(samples) * static_cast<double>(design.shape.values() + 4096) *
              static_cast<double>(design.formats.size());
  }
  if (needed <= static_cast<double>(space.available)) return;
  throw SystemError(folder.string() + ": the files need up to " +
                    std::to_string(static_cast<std::int64_t>(needed / 1e6)) + " MB, and the disk has " +
                    std::to_string(space.available / 1'000'000));
}

// Every regular file at or below a path, opened.
template <class Action>
void for_each_file(const fs::path& path, Action action) {
  const auto visit = [&](const fs::path& file) {
    const int open_file = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (open_file < 0) return;
    struct stat status {};
    if (fstat(open_file, &status) == 0 && S_ISREG(status.st_mode)) action(open_file, status.st_size);
    close(open_file);
  };
  std::error_code failed;
  if (!fs::is_directory(path, failed)) return visit(path);
  for (fs::recursive_directory_iterator it(path, failed), end; !failed && it != end; it.increment(failed)) {
    if (it->is_regular_file(failed)) visit(it->path());
  }
}

}  // namespace

InputFolder::InputFolder(const InputDesign& design, const std::function<bool()>& keep_going)
    : folder_(parent_of(design), false) {
  check_room(design, folder_.path());
  try {
    make_all(design, keep_going);
  } catch (const OutOfTime&) {  // what is whole can be measured
  }
}

void InputFolder::make_all(const InputDesign& design, const std::function<bool()>& keep_going) {
  const auto data = open_data(design);
  for (const std::int64_t count : design.samples) {
    const SomeSamples wanted(*data, count, keep_going);
    for (const std::string& name : design.formats) {
      const InputFormat format = input_format(name);
      const fs::path path =
          folder_.path() / (format.name + "-" + std::to_string(count) + (format.images ? "" : ".sxr"));
      if (format.images) {
        write_image_folder(wanted, path.string(), format.image);
      } else {
        write_record_file(wanted, path.string(), format.record);
      }
      // Pages that are not on the disk yet could not be dropped from memory.
      for_each_file(path, [](int file, std::int64_t /*size*/) { fdatasync(file); });
      files_[{name, count}] = {
          path,
          input::open_sample_set({.name = path.string(), .shape = design.shape, .classes = kMostClasses})};
    }
  }
}

const InputFiles* InputFolder::find(const std::string& format, std::int64_t samples) const {
  const auto found = files_.find({format, samples});
  return found == files_.end() ? nullptr : &found->second;
}

void drop_from_page_cache(const fs::path& path) {
  for_each_file(path,
                [](int file, std::int64_t /*size*/) { posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED); });
}

std::optional<double> share_in_page_cache(const fs::path& path) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t pages = 0;
  std::size_t resident = 0;
  for_each_file(path, [&](int file, std::int64_t size) {
    if (size == 0) return;
    const auto length = static_cast<std::size_t>(size);
    void* map = mmap(nullptr, length, PROT_READ, MAP_SHARED, file, 0);
    if (map == MAP_FAILED) return;
    std::vector<unsigned char> states((length + page - 1) / page);
    if (mincore(map, length, states.data()) == 0) {
      pages += states.size();
      resident += static_cast<std::size_t>(
          std::ranges::count_if(states, [](unsigned char s) { return (s & 1U) != 0; }));
    }
    munmap(map, length);
  });
  if (pages == 0) return std::nullopt;
  return static_cast<double>(resident) / static_cast<double>(pages);
}

}  // namespace sextant::measure
