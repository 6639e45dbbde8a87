#include "sextant/predict/batch_line.h"

#include <algorithm>
#include <cmath>

namespace sextant::predict {
namespace {

constexpr double kLineWeight = 0.8;  // where the host does not matter
constexpr double kLeastSlope = 0.3;  // of the mean cost of a sample at the largest timed batch

std::string key_of(const Observation& o) {
  const CaseLabels& l = o.labels;
  return o.instance + "|" + l.net + "|" + l.precision + "|" + l.mode + "|" + std::to_string(l.size);
}

}  // namespace

void BatchLines::add(const Observation& timed, double log_modelled, double host_share) {
  timings_[key_of(timed)][timed.labels.samples] = {timed.seconds, log_modelled, std::min(host_share, 1.0)};
}

bool BatchLines::knows(const Observation& question) const {
  const auto found = timings_.find(key_of(question));
  return found != timings_.end() && found->second.size() >= 2 &&
         question.labels.samples > found->second.rbegin()->first;
}

double BatchLines::adjust(const Observation& question, double log_modelled) const {
  if (!knows(question)) return log_modelled;
  const auto& timed = timings_.at(key_of(question));
  const auto& [samples, last] = *timed.rbegin();
  const auto& [fewer, before] = *std::next(timed.rbegin());
  const double batch = question.labels.samples;
  const double slope =
      std::max((last.seconds - before.seconds) / (samples - fewer), kLeastSlope * last.seconds / samples);
  const double line = std::log(last.seconds + slope * (batch - samples));
  const double ratio = std::log(last.seconds) + log_modelled - last.log_modelled;
  const double weight = kLineWeight * (1 - last.host_share);
  return weight * line + (1 - weight) * ratio;
}

}  // namespace sextant::predict
