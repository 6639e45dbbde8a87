// What makes a measurement doubtful, and what to do about it.
#include <algorithm>
#include <cmath>

#include "campaign_texts.h"
#include "measure_texts.h"
#include "round_times.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::measure {
namespace {

constexpr double kManyOutliers = 0.02;  // of the iterations
constexpr double kBusyOthers = 0.1;     // cores
constexpr double kMuchSteal = 0.02;     // of the cores

std::string tenths(double cores) {
  return number_text(std::round(10 * cores) / 10);
}

MachineUse mean_use(const std::vector<RoundTimes>& rounds) {
  MachineUse use;
  for (const RoundTimes& round : rounds) {
    use.others += round.use.others / static_cast<double>(rounds.size());
    use.steal += round.use.steal / static_cast<double>(rounds.size());
  }
  return use;
}

std::string who_disturbs(const MachineUse& use) {
  const auto cores = static_cast<double>(core_count());
  if (use.steal > kMuchSteal * cores) return "the host of this virtual machine took processor time away";
  if (use.others > kBusyOthers) return "other processes used " + tenths(use.others) + " cores";
  return "nothing else was busy, so the cause is the job itself or the system below it";
}

void add_outliers(const TrialResult& result, const MachineUse& use, std::vector<std::string>& warnings) {
  const auto measured = static_cast<double>(result.measured);
  if (static_cast<double>(result.outliers) < std::max(2.0, kManyOutliers * measured)) return;
  warnings.push_back(std::to_string(result.outliers) + " of " + std::to_string(result.measured) +
                     " iterations lie far from the median (|z| > 3.5): " + who_disturbs(use) +
                     "; medians hardly change by that, means and the 90th percentile do");
}

void add_machine(const Trial& trial, const MachineUse& use, std::vector<std::string>& warnings) {
  const std::int64_t cores = core_count();
  if (use.steal > kMuchSteal * static_cast<double>(cores)) {
    warnings.push_back("the host took " + percent_text(use.steal / static_cast<double>(cores)) +
                       " of the processors (steal): measure again at a quieter time");
  }
  if (use.others > kBusyOthers) {
    warnings.push_back("other processes used " + tenths(use.others) + " of " + std::to_string(cores) +
                       " cores meanwhile (load average " + tenths(load_average()) +
                       "): stop them and measure again");
  }
  if (frequency_governor() == "powersave") {
    warnings.emplace_back(
        "the frequency governor is powersave: cpupower frequency-set -g performance changes it");
  }
  const std::int64_t threads = (trial.workers + trial.servers) * trial.threads;
  if (threads > cores) {
    warnings.push_back(std::to_string(threads) + " computing threads share " + std::to_string(cores) +
                       " cores: workers take turns, which workers on machines of their own would not");
  }
}

void add_failures(const TrialResult& result, std::vector<std::string>& warnings) {
  const TrialOutcome& outcome = result.last.outcome;
  if (!outcome.completed || outcome.failures.empty()) return;
  warnings.push_back(std::to_string(outcome.failures.size()) +
                     " processes were lost: the times are those of the " +
                     std::to_string(outcome.ranks.size()) + " processes that were left, from iteration " +
                     std::to_string(outcome.ranks.at(0).first_iteration) + " on");
}

}  // namespace

std::vector<std::string> result_warnings(const std::vector<RoundTimes>& rounds, const TrialResult& result,
                                         double precision) {
  std::vector<std::string> warnings;
  if (rounds.empty()) return warnings;
  add_failures(result, warnings);
  if (result.measured == 0) return warnings;
  const MachineUse use = mean_use(rounds);
  add_outliers(result, use, warnings);
  add_machine(result.trial, use, warnings);
  if (std::ranges::any_of(rounds, [](const RoundTimes& round) { return !round.settled; })) {
    warnings.emplace_back("times were still changing half-way through a round: measure more iterations");
  }
  if (!result.precise && !result.trial.epochs) {
    const double half = relative_half_width(result);
    const std::string known =
        std::isfinite(half) ? "to " + percent_text(half) + " only" : "from too few iterations";
    warnings.push_back("the median is known " + known + " (asked for: " + percent_text(precision) +
                       "): a larger budget or more iterations make it surer");
  }
  if (!std::isfinite(result.loss)) {
    warnings.emplace_back("the loss is not a number: training diverged; try a smaller learning rate");
  }
  return warnings;
}

}  // namespace sextant::measure
