// Spans of a data-parallel run whose times are given: computed forward here, so that an analysis can be
// compared with what the run would really have been under other times.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sextant/core/rng.h"
#include "sextant/spans/span.h"

namespace sextant::spans::test {

struct Fault {
  std::int64_t worker = 0;
  std::int64_t first = 0;  // iterations [first, last]
  std::int64_t last = 0;
  std::string phase;
  double seconds = 0;
};

struct SyntheticRun {
  std::int64_t workers = 2;
  std::int64_t iterations = 20;
  bool overlap = true;
  bool hand_over_times = true;  // ready_ns
  double input = 0.004;
  double forward = 0.006;
  std::vector<double> backward = {0.005, 0.005};       // each hands a bucket over at its end
  std::vector<double> communication = {0.006, 0.008};  // of the buckets
  double optimizer = 0.002;
  double pause = 0.0001;  // between iterations
  double noise = 0;       // relative standard deviation of each duration
  std::uint64_t seed = 0;
  std::vector<Fault> faults = {};
};

class SyntheticTrainer {
 public:
  explicit SyntheticTrainer(SyntheticRun run) : run_(std::move(run)), clocks_(workers()), wires_(workers()) {}

  SpanSet train() {
    set_.trace = {1, 1};
    for (std::size_t w = 0; w < workers(); ++w) set_.processes[id(w)] = "worker " + std::to_string(w);
    for (std::int64_t i = 0; i < run_.iterations; ++i) iteration(i);
    sort_spans(set_);
    return set_;
  }
  // Median over iterations of the slowest worker.
  [[nodiscard]] double iteration_s() const {
    std::vector<double> times = slowest_;
    std::ranges::sort(times);
    const auto n = times.size();
    return (times[n / 2] + times[(n - 1) / 2]) / 2;
  }

 private:
  [[nodiscard]] std::size_t workers() const { return static_cast<std::size_t>(run_.workers); }
  static std::int64_t id(std::size_t worker) { return static_cast<std::int64_t>(worker); }

  // The same draw for the same piece of work, whatever its usual time.
  [[nodiscard]] double drawn(double usual, const std::string& what, std::int64_t iteration,
                             std::size_t worker) const {
    Rng draw = Rng(run_.seed).stream(what, worker).stream("iteration", static_cast<std::uint64_t>(iteration));
    const double normal = draw.normal();
    double time = usual * std::max(0.1, 1 + run_.noise * normal);
    const std::string phase = what.substr(0, what.find('.'));
    for (const Fault& fault : run_.faults)
      if (fault.worker == id(worker) && fault.first <= iteration && iteration <= fault.last &&
          fault.phase == phase && (what == phase || what == phase + ".0"))
        time += fault.seconds;
    return time;
  }

  // Offsets fit a double to the nanosecond; seconds since 1970 do not.
  static std::int64_t ns(double seconds) { return std::llround(seconds * 1e9) + 1'700'000'000'000'000'000; }

  Span& record(const std::string& name, std::size_t worker, double start, double end) {
    Span span;
    span.id = ++last_id_;
    span.name = name;
    span.process = id(worker);
    span.start_ns = ns(start);
    span.end_ns = ns(end);
    set_.spans.push_back(span);
    return set_.spans.back();
  }

  double phase(const std::string& name, const std::string& what, double usual, std::size_t worker) {
    const double start = clocks_[worker];
    clocks_[worker] += drawn(usual, what, now_, worker);
    record(name, worker, start, clocks_[worker]).attributes = {{"iteration", now_}};
    return clocks_[worker];
  }

  void iteration(std::int64_t number) {
    now_ = number;
    const std::vector<double> starts = clocks_;
    const std::size_t buckets = run_.backward.size();
    std::vector<std::vector<double>> ready(workers());
    for (std::size_t w = 0; w < workers(); ++w) {
      phase("input", "input", run_.input, w);
      phase("forward", "forward", run_.forward, w);
      const double start = clocks_[w];
      for (std::size_t b = 0; b < buckets; ++b) {
        clocks_[w] += drawn(run_.backward[b], "backward." + std::to_string(b), now_, w);
        ready[w].push_back(clocks_[w]);
      }
      record("backward", w, start, clocks_[w]).attributes = {{"iteration", now_}};
    }
    for (std::size_t b = 0; b < buckets; ++b) collective(b, ready);
    double slowest = 0;
    for (std::size_t w = 0; w < workers(); ++w) {
      clocks_[w] = std::max(clocks_[w], wires_[w]);
      const double end = phase("optimizer", "optimizer", run_.optimizer, w);
      record("iteration", w, starts[w], end).attributes = {{"iteration", now_}};
      slowest = std::max(slowest, end - starts[w]);
      clocks_[w] += run_.pause;
    }
    slowest_.push_back(slowest);
  }

  void collective(std::size_t bucket, const std::vector<std::vector<double>>& ready) {
    std::vector<double> arrivals;
    for (std::size_t w = 0; w < workers(); ++w) {
      const double handed = run_.overlap ? ready[w][bucket] : ready[w].back();
      arrivals.push_back(std::max(handed, wires_[w]));
    }
    const double all = std::ranges::max(arrivals);
    const double end =
        all + drawn(run_.communication[bucket], "communication." + std::to_string(bucket), now_, 0);
    for (std::size_t w = 0; w < workers(); ++w) {
      Span& span = record("communication", w, arrivals[w], end);
      span.thread = run_.overlap ? 1 : 0;
      span.attributes = {{"iteration", now_}, {"bucket", static_cast<std::int64_t>(bucket)}};
      if (run_.overlap && run_.hand_over_times)
        span.attributes.emplace_back("ready_ns", ns(ready[w][bucket]));
      wires_[w] = end;
    }
  }

  SyntheticRun run_;
  SpanSet set_;
  std::vector<double> clocks_;  // of the training threads
  std::vector<double> wires_;   // of the communication threads
  std::vector<double> slowest_;
  std::int64_t now_ = 0;
  SpanId last_id_ = 0;
};

}  // namespace sextant::spans::test
