// Two ways to do the same thing, in turn, so that a machine that gets slower is slower for both: the ratio of
// each pair, and the median of the ratios.
#pragma once

#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "sextant/stats/quantiles.h"
#include "sextant/stats/robust.h"

namespace sextant::bench {

struct TimedPairs {
  std::vector<double> subject;  // s
  std::vector<double> baseline;
};

inline void print_pairs(const std::string& what, const TimedPairs& pairs) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < pairs.subject.size(); ++i)
    ratios.push_back(pairs.subject[i] / pairs.baseline[i]);
  std::printf("%-44s ratio %.4f  (quartiles %.4f to %.4f of %zu pairs; %.3f against %.3f ms)\n", what.c_str(),
              stats::median(ratios), stats::sample_quantile(ratios, 0.25),
              stats::sample_quantile(ratios, 0.75), ratios.size(), 1e3 * stats::median(pairs.subject),
              1e3 * stats::median(pairs.baseline));
  std::fflush(stdout);
}

}  // namespace sextant::bench
