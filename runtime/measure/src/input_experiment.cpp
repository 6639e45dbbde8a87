#include "sextant/measure/input_experiment.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <thread>

#include "input_design.h"
#include "input_files.h"
#include "input_lines.h"
#include "sextant/input/batches.h"
#include "sextant/measure/clock.h"

namespace sextant::measure {
namespace {

std::int64_t reader_threads(std::int64_t prefetch) {
  const auto cores = static_cast<std::int64_t>(std::thread::hardware_concurrency());
  return std::clamp<std::int64_t>(prefetch, 1, std::max<std::int64_t>(1, cores));
}

// Seconds for the batches of a point; nothing where `keep_going` said no meanwhile. Without cache they come
// from files that the page cache was asked to forget; with it, from the memory that epochs before have
// filled.
std::optional<double> time_point(const InputPoint& point, const input::SampleSet& samples, std::uint64_t seed,
                                 const std::function<bool()>& keep_going) {
  const auto source = make_batches(samples, {.batch = point.batch,
                                             .prefetch = point.prefetch,
                                             .readers = reader_threads(point.prefetch),
                                             .cache_samples = point.cache == 1 ? -1 : 0,
                                             .seed = seed});
  // An epoch of whole batches leaves a rest out, of which later ones take most.
  const std::int64_t first = point.cache == 1 ? 3 * source->batches_per_epoch() : 0;
  for (std::int64_t i = 0; i < first && keep_going(); ++i) source->next(i);
  const std::int64_t start = monotonic_ns();
  for (std::int64_t i = 0; i < point.batch_count; ++i) {
    if (!keep_going()) return std::nullopt;
    source->next(first + i);
  }
  return seconds_since(start);
}

std::string page_cache_note(const InputFolder& folder, const std::vector<InputPoint>& points) {
  double largest = 0;
  for (const InputPoint& point : points) {
    const InputFiles* files = folder.find(point.format, point.samples);
    if (files == nullptr) continue;
    drop_from_page_cache(files->path);
    const std::optional<double> share = share_in_page_cache(files->path);
    if (!share)
      return "page cache: the kernel was asked to forget the files before each measurement; it does not say "
             "whether it did";
    largest = std::max(largest, *share);
  }
  const std::string percent = std::to_string(std::lround(100 * largest)) + " %";
  if (largest < 0.01) {
    return "page cache: files were dropped from it before each measurement (posix_fadvise), so that an epoch "
           "reads "
           "the disk; the disk's own caches are not controlled";
  }
  return "page cache: the kernel was asked to forget the files before each measurement, and kept up to " +
         percent + " of a data set: throughput is partly, or wholly, that of memory";
}

class Experiment {
 public:
  Experiment(const InputDesign& design, Progress& progress)
      : design_(design),
        progress_(progress),
        start_(monotonic_ns()),
        folder_(design, [this] { return in_budget(); }) {}

  InputReport run() {
    InputReport report;
    report.points = input_points(design_);
    report.notes.push_back(page_cache_note(folder_, input_files_points(report.points)));
    const auto total = static_cast<std::int64_t>(report.points.size()) * design_.repetitions;
    std::int64_t done = 0;
    for (std::int64_t repetition = 0; repetition < design_.repetitions; ++repetition) {
      for (const std::size_t place : input_order(report.points.size(), repetition, design_.seed)) {
        if (measure(report.points[place], repetition)) ++done;
        progress_.step(done, total, report.points[place].format);
      }
    }
    report.complete = done == total;
    if (!report.complete) {
      report.notes.push_back("the budget ended after " + std::to_string(done) + " of " +
                             std::to_string(total) + " measurements");
    }
    report.notes.push_back(
        "readers: " + std::to_string(reader_threads(*std::ranges::max_element(design_.prefetch))) +
        " threads where batches are read ahead, one otherwise");
    std::erase_if(report.points, [](const InputPoint& point) { return point.samples_per_s.empty(); });
    report.lines = single_factor_lines(report.points);
    report.joint = joint_factor_lines(report.points);
    report.ratios = factor_ratios(report.points);
    if (design_.cache.size() > 1) {
      report.notes.emplace_back(
          "with decoded samples kept, no file is read: for what format and reading ahead do to reading "
          "files, "
          "measure without");
    }
    return report;
  }

 private:
  [[nodiscard]] bool in_budget() const { return seconds_since(start_) < design_.budget_s; }

  // One point for each set of files.
  static std::vector<InputPoint> input_files_points(const std::vector<InputPoint>& points) {
    std::vector<InputPoint> firsts;
    for (const InputPoint& point : points) {
      const bool known = std::ranges::any_of(firsts, [&](const InputPoint& seen) {
        return seen.format == point.format && seen.samples == point.samples;
      });
      if (!known) firsts.push_back(point);
    }
    return firsts;
  }

  // False: no time was left.
  bool measure(InputPoint& point, std::int64_t repetition) {
    const InputFiles* files = folder_.find(point.format, point.samples);
    if (files == nullptr || !in_budget()) return false;
    drop_from_page_cache(files->path);
    const std::optional<double> seconds =
        time_point(point, *files->samples, design_.seed + static_cast<std::uint64_t>(repetition),
                   [this] { return in_budget(); });
    if (!seconds) return false;
    const double samples = static_cast<double>(point.batch) * static_cast<double>(point.batch_count);
    const double rate = samples / std::max(*seconds, 1e-9);  // the clock's own step
    point.samples_per_s.push_back(rate);
    point.bytes_per_s.push_back(rate * static_cast<double>(design_.shape.values()) * sizeof(float));
    return true;
  }

  const InputDesign& design_;
  Progress& progress_;
  std::int64_t start_;
  InputFolder folder_;
};

}  // namespace

InputReport measure_input(const InputDesign& design, Progress& progress) {
  check_input_design(design);
  return Experiment(design, progress).run();
}

}  // namespace sextant::measure
