// What every reader of traces does: names become numbers, dropped rows are counted with the reason, and no
// job enters that a scheduler could not hold.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/jobs/trace.h"

namespace sextant::jobs {

// Bounds of what a file may ask for: above any cluster, below where sums of seconds lose their fractions.
constexpr double kMostTraceGpus = 1e6;
constexpr double kLatestSecond = 1e12;  // the year 9999 is in it
constexpr double kMostWork = 1e15;

// A list of names and the place of each.
class NameIndex {
 public:
  std::int32_t operator()(std::string_view name);  // adds it where it is new
  std::vector<std::string> take() { return std::move(names_); }

 private:
  struct Hash {
    using is_transparent = void;  // NOLINT(readability-identifier-naming): the standard's name
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, std::int32_t, Hash, std::equal_to<>> places_;
  std::vector<std::string> names_;
};

class TraceBuilder {
 public:
  TraceBuilder(const std::string& file, std::string format, WorkUnit unit);

  NameIndex model;
  NameIndex user;

  [[nodiscard]] std::size_t size() const { return trace_.jobs.size(); }
  void reserve(std::size_t jobs) { trace_.jobs.reserve(jobs); }
  void row() { ++trace_.rows; }
  void drop(const std::string& reason) { ++trace_.dropped[reason]; }
  void note(std::string text) { trace_.notes.push_back(std::move(text)); }

  // Arrivals of a format that is sorted by definition. `where` is called only for the error.
  template <class Where>
  void in_order(double arrival_s, Where where) {
    if (arrival_s < latest_) throw_unordered(arrival_s, where());
    latest_ = arrival_s;
  }
  // A start before the arrival is no start: clocks of two machines, or a job that was submitted again.
  void add(TraceJob job) {
    if (job.start_s && *job.start_s < job.arrival_s) job.start_s.reset();
    trace_.jobs.push_back(std::move(job));
  }

  // For logs with calendar times that are sorted otherwise: by arrival, ties in the order of the file, and
  // the first at 0.
  void sort_from_zero();
  Trace take();

 private:
  [[noreturn]] void throw_unordered(double arrival_s, const SourcePos& at) const;

  Trace trace_;
  double latest_ = 0;
};

// The first line that is not blank, without its end and without a byte-order mark.
std::string_view first_line(std::string_view text);

}  // namespace sextant::jobs
