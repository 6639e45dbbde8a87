#include "campaign_texts.h"

#include <algorithm>
#include <cmath>

#include "measure_texts.h"

namespace sextant::measure {
namespace {

using Results = std::vector<const TrialResult*>;

std::string rounds_text(std::int64_t rounds) {
  return std::to_string(rounds) + (rounds == 1 ? " round" : " rounds");
}

Results measured_ones(const Results& results) {
  Results measured;
  for (const TrialResult* result : results) {
    if (result->measured > 0) measured.push_back(result);
  }
  return measured;
}

const TrialResult& least_sure(const Results& results) {
  return **std::ranges::max_element(results, {},
                                    [](const TrialResult* result) { return relative_half_width(*result); });
}

std::int64_t most_rounds(const Results& results) {
  std::int64_t most = 0;
  for (const TrialResult* result : results) most = std::max(most, result->rounds);
  return most;
}

std::int64_t precise_ones(const Results& results) {
  return std::ranges::count_if(results, [](const TrialResult* result) { return result->precise; });
}

// What misses the precision by less than is shown is not said to meet it.
std::string known_text(double half, double precision) {
  if (!std::isfinite(half)) return "not known yet";
  if (half > precision && percent_text(half) == percent_text(precision)) {
    return "known to a little more than " + percent_text(precision);
  }
  return "known to " + percent_text(half);
}

// "the median is known to 1.4 %, and 2 % was asked".
std::string sureness_text(const Results& results, double precision) {
  const TrialResult& worst = least_sure(results);
  const double half = relative_half_width(worst);
  const std::string asked = percent_text(precision);
  if (results.size() == 1) {
    if (!std::isfinite(half)) return "too few iterations were measured to say how sure the median is";
    return "the median is " + known_text(half, precision) + ", and " + asked + " was asked";
  }
  const std::int64_t precise = precise_ones(results);
  const auto all = std::to_string(results.size());
  if (precise == std::ssize(results)) return "all " + all + " medians are known to " + asked + " or better";
  return std::to_string(precise) + " of " + all + " medians are known to " + asked +
         "; the least sure one, of " + configuration_text(worst.trial) + ", is " +
         known_text(half, precision);
}

}  // namespace

double relative_half_width(const TrialResult& result) {
  return result.median_interval.width() / 2 / result.iteration_s.median;
}

std::string configuration_text(const Trial& trial) {
  return trial.job.net + ", " + trial.strategy + ", " + std::to_string(trial.workers) +
         (trial.workers == 1 ? " worker" : " workers");
}

std::string waiting_text(const Results& results, double precision, double left_s) {
  const Results measured = measured_ones(results);
  if (measured.empty()) return {};
  const double half = relative_half_width(least_sure(measured));
  std::string text = "median ";
  if (results.size() > 1) {
    text = std::to_string(precise_ones(measured)) + " of " + std::to_string(results.size()) +
           " medians known well enough, the least sure one ";
  }
  text += known_text(half, precision) + ", asked " + percent_text(precision) + ", " +
          rounds_text(most_rounds(measured));
  return left_s > 0 ? text + ", at most " + duration_text(left_s) + " more" : text;
}

std::string ending_text(const Results& results, CampaignEnd end, const CampaignOptions& options,
                        double seconds) {
  const Results measured = measured_ones(results);
  if (measured.empty() && end == CampaignEnd::interrupted) {
    return "Interrupted after " + duration_text(seconds) +
           ", before the first round was over: nothing was measured.";
  }
  if (measured.empty()) return {};
  const std::string spent = rounds_text(most_rounds(measured)) + " in " + duration_text(seconds);
  if (end == CampaignEnd::once) {
    return "Trained once, in " + duration_text(seconds) + ": one run does not show how much runs differ.";
  }
  const std::string sure = sureness_text(measured, options.precision) + ".";
  if (end == CampaignEnd::precise) return "Stopped after " + spent + " because " + sure;
  if (end == CampaignEnd::interrupted) return "Interrupted after " + spent + ": " + sure;
  return "Stopped after " + spent + " because the budget was spent: " + sure +
         " To narrow the interval, take a larger `budget`, more `iterations` or a quieter machine.";
}

}  // namespace sextant::measure
