#include "sextant/stats/accuracy.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "sextant/stats/quantiles.h"

namespace sextant::stats {
namespace {

using Case = AccuracyLine::Case;

std::vector<double> values(const AccuracyLine& line, double Case::*member) {
  std::vector<double> all;
  for (const auto& c : line.cases) all.push_back(c.*member);
  return all;
}

}  // namespace

double AccuracyLine::mean_error() const {
  const auto all = values(*this, &Case::error);
  return std::accumulate(all.begin(), all.end(), 0.0) /
         static_cast<double>(std::max<std::size_t>(1, all.size()));
}

double AccuracyLine::error_at(double quantile) const {
  return sample_quantile(values(*this, &Case::error), quantile);
}

double AccuracyLine::median_error() const {
  return error_at(0.5);
}

double AccuracyLine::coverage() const {
  const auto covered = std::ranges::count_if(cases, &Case::covered);
  return static_cast<double>(covered) / static_cast<double>(std::max<std::size_t>(1, cases.size()));
}

double AccuracyLine::median_half_width() const {
  return sample_quantile(values(*this, &Case::half_width), 0.5);
}

std::vector<std::pair<std::string, double>> AccuracyLine::by_group() const {
  std::map<std::string, std::pair<double, double>> sums;
  for (const auto& c : cases) {
    sums[c.group].first += c.error;
    sums[c.group].second += 1;
  }
  std::vector<std::pair<std::string, double>> means;
  for (const auto& [group, sum] : sums) means.emplace_back(group, sum.first / sum.second);
  std::ranges::stable_sort(means, std::greater{}, &std::pair<std::string, double>::second);
  return means;
}

}  // namespace sextant::stats
