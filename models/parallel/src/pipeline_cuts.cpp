#include "pipeline_cuts.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>

#include "pipeline.h"

namespace sextant::parallel {
namespace {

// How much longer than the best balance a run may be, so that fewer elements cross.
constexpr std::array kSlacks = {1.0001, 1.2, 2.0};

// What layers weigh, each measure summing to one.
using Measure = std::vector<Seconds>;

Measure normalised(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  Measure measure;
  for (const double value : values) measure.emplace_back(sum > 0 ? value / sum : 0);
  return measure;
}

// Work, traffic and number of layers alone, and each two of them alike.
std::vector<Measure> measures_of(const Workload& load) {
  std::vector<double> work;
  std::vector<double> traffic;
  for (const LayerLoad& layer : load.layers()) {
    work.push_back(layer.work);
    traffic.push_back(layer.input + layer.output + layer.weights);
  }
  const std::vector<Measure> alone = {normalised(work), normalised(traffic),
                                      normalised(std::vector<double>(work.size(), 1))};
  std::vector<Measure> all = alone;
  for (std::size_t a = 0; a < alone.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      Measure mean(work.size());
      for (std::size_t i = 0; i < mean.size(); ++i) mean[i] = 0.5 * (alone[a][i] + alone[b][i]);
      all.push_back(std::move(mean));
    }
  }
  return all;
}

Measure times_of(const Workload& load, double samples) {
  Measure times;
  for (const LayerLoad& layer : load.layers()) {
    times.push_back(layer.forward_start + layer.backward_start + samples * (layer.forward + layer.backward));
  }
  return times;
}

Seconds longest_run(const Measure& measure, const Cuts& cuts) {
  Seconds longest{};
  for (std::size_t run = 0; run < cuts.size(); ++run) {
    const std::size_t end = run + 1 < cuts.size() ? cuts[run + 1] : measure.size();
    Seconds sum{};
    for (std::size_t i = cuts[run]; i < end; ++i) sum += measure[i];
    longest = std::max(longest, sum);
  }
  return longest;
}

void add(std::vector<Cuts>& all, Cuts cuts) {
  if (!cuts.empty() && std::ranges::find(all, cuts) == all.end()) all.push_back(std::move(cuts));
}

std::vector<Cuts> cuts_by(const std::vector<Measure>& measures, const std::vector<double>& entries,
                          std::size_t runs) {
  std::vector<Cuts> all;
  for (const Measure& measure : measures) {
    const Cuts even = split_evenly(measure, runs);
    if (even.empty()) continue;
    const Seconds longest = longest_run(measure, even);
    for (const double slack : kSlacks) add(all, split_below(measure, entries, runs, slack * longest));
    add(all, even);
  }
  // However unevenly, the fewest elements.
  Seconds whole{};
  for (const Seconds each : measures.front()) whole += each;
  add(all, split_below(measures.front(), entries, runs, 2 * whole));
  return all;
}

// A search asks for the cuts of one network again and again, for all devices and numbers of them.
class CutCache {
 public:
  using Key = std::pair<std::size_t, std::vector<double>>;

  std::shared_ptr<const std::vector<Cuts>> find(const Key& key) {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(key);
    return found == known_.end() ? nullptr : found->second;
  }
  void keep(Key key, std::shared_ptr<const std::vector<Cuts>> cuts) {
    const std::lock_guard lock(mutex_);
    if (known_.size() >= kMost) known_.clear();
    known_.emplace(std::move(key), std::move(cuts));
  }

 private:
  static constexpr std::size_t kMost = 256;
  std::mutex mutex_;
  std::map<Key, std::shared_ptr<const std::vector<Cuts>>> known_;
};

}  // namespace

double crossing(const LayerLoad& layer) {
  return layer.crossing > 0 ? layer.crossing : layer.output;
}

std::shared_ptr<const std::vector<Cuts>> candidate_cuts(const Workload& load, std::size_t runs,
                                                        double samples) {
  std::vector<double> entries;
  CutCache::Key key{runs, {}};
  bool stated = false;
  for (std::size_t i = 0; i < load.layers().size(); ++i) {
    const LayerLoad& layer = load.layers()[i];
    entries.push_back(i == 0 ? 0 : crossing(load.layers()[i - 1]));
    stated = stated || layer.work > 0;
    key.second.insert(key.second.end(),
                      {layer.work, layer.input + layer.output + layer.weights, entries.back()});
  }
  if (!stated) {
    return std::make_shared<const std::vector<Cuts>>(cuts_by({times_of(load, samples)}, entries, runs));
  }
  static CutCache cache;
  if (auto known = cache.find(key)) return known;
  auto made = std::make_shared<const std::vector<Cuts>>(cuts_by(measures_of(load), entries, runs));
  cache.keep(std::move(key), made);
  return made;
}

}  // namespace sextant::parallel
