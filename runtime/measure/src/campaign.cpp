#include "sextant/measure/campaign.h"

#include <algorithm>
#include <numeric>

#include "campaign_texts.h"
#include "checked_trial.h"
#include "machine_state.h"
#include "round_times.h"
#include "sextant/core/error.h"
#include "sextant/core/rng.h"
#include "sextant/measure/clock.h"

namespace sextant::measure {
namespace {

double now_s() {
  return static_cast<double>(monotonic_ns()) * 1e-9;
}

// Fisher and Yates.
std::vector<std::size_t> drawn_order(std::vector<std::size_t> items, std::uint64_t seed,
                                     std::uint64_t round) {
  Rng rng = Rng(seed).stream("campaign", round);
  for (std::size_t i = items.size(); i > 1; --i) {
    const std::size_t other = rng.below(i);
    std::swap(items[i - 1], items[other]);
  }
  return items;
}

// A trial with what its rounds gave so far.
struct Entry {
  TrialResult result;
  std::vector<RoundTimes> rounds = {};
  double longest_s = 0;  // of its rounds
  bool over = false;     // failed, or one round is all it takes
};

class Campaign {
 public:
  Campaign(const std::vector<Trial>& trials, const CampaignOptions& options, Progress& progress)
      : options_(options), progress_(progress), start_s_(now_s()) {
    for (const Trial& trial : trials) {
      Entry& entry = entries_.emplace_back();
      entry.result.trial = trial;
    }
  }

  CampaignResult run() {
    CampaignResult campaign;
    campaign.machine = machine_description();
    for (std::uint64_t round = 0; !campaign.interrupted; ++round) {
      const std::vector<std::size_t> due = entries_due(round);
      if (due.empty()) break;
      for (const std::size_t index : drawn_order(due, options_.seed, round)) {
        if (round > 0 && !affordable(entries_[index])) continue;
        campaign.interrupted = !measure(entries_[index], round);
        if (campaign.interrupted) break;
      }
    }
    campaign.seconds = now_s() - start_s_;
    campaign.ending = ending_text(results(), end_of(campaign), options_, campaign.seconds);
    for (Entry& entry : entries_) {
      entry.result.warnings = result_warnings(entry.rounds, entry.result, options_.precision);
      campaign.results.push_back(std::move(entry.result));
    }
    add_versions(campaign);
    return campaign;
  }

 private:
  [[nodiscard]] std::vector<std::size_t> entries_due(std::uint64_t round) const {
    std::vector<std::size_t> due;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const Entry& entry = entries_[i];
      const bool enough = entry.result.precise && entry.result.rounds >= options_.least_rounds;
      if (round == 0 || (!entry.over && !enough && affordable(entry))) due.push_back(i);
    }
    return due;
  }

  // Would another round end within the budget? Those that were asked for are made in any case.
  [[nodiscard]] bool affordable(const Entry& entry) const {
    if (entry.result.rounds < options_.least_rounds) return true;
    return now_s() - start_s_ + entry.longest_s <= options_.budget_s;
  }

  // False: interrupted.
  bool measure(Entry& entry, std::uint64_t round) {
    const Trial& trial = entry.result.trial;
    const std::string note = "round " + std::to_string(round + 1) + ": " + configuration_text(trial);
    SuperviseOptions supervise = options_.supervise;
    supervise.progress = [&](std::int64_t iteration) {
      tell(note + ", iteration " + std::to_string(iteration));
      options_.supervise.progress(iteration);
    };
    tell(note);
    const ProcessorTimes before = processor_times();
    Supervised done = run_checked_trial(trial, supervise);
    const ProcessorTimes after = processor_times();
    if (done.interrupted) return false;
    entry.longest_s = std::max(entry.longest_s, after.wall_s - before.wall_s);
    entry.over = !done.outcome.completed || trial.epochs.has_value() || trial.operators;
    if (done.outcome.completed) {
      entry.rounds.push_back(read_round(trial, done.outcome));
      entry.rounds.back().use = use_between(before, after);
    }
    entry.result.last = std::move(done);
    note_last(entry);
    return true;
  }

  void note_last(Entry& entry) const {
    TrialResult& result = entry.result;
    summarize_rounds(entry.rounds, options_.precision, result);
    for (const WorkerReport& report : result.last.outcome.ranks) {
      if (report.accuracy) result.accuracy = report.accuracy;
      result.peak_rss_bytes = std::max(result.peak_rss_bytes, report.peak_rss_bytes);
    }
  }

  // What is known so far and how long it may take; in the first round, `note`.
  void tell(const std::string& note) {
    const double left_s = options_.budget_s - (now_s() - start_s_);
    const std::string waiting = waiting_text(results(), options_.precision, left_s);
    const auto done = std::ranges::count_if(entries_, [&](const Entry& entry) {
      return entry.over || (entry.result.precise && entry.result.rounds >= options_.least_rounds);
    });
    progress_.step(done, static_cast<std::int64_t>(entries_.size()), waiting.empty() ? note : waiting);
  }

  [[nodiscard]] std::vector<const TrialResult*> results() const {
    std::vector<const TrialResult*> all;
    for (const Entry& entry : entries_) all.push_back(&entry.result);
    return all;
  }

  [[nodiscard]] CampaignEnd end_of(const CampaignResult& campaign) const {
    if (campaign.interrupted) return CampaignEnd::interrupted;
    bool precise = true;
    bool once = true;
    for (const Entry& entry : entries_) {
      precise = precise && (entry.result.precise || entry.result.measured == 0);
      once = once && (entry.result.trial.epochs || entry.result.trial.operators);
    }
    if (once) return CampaignEnd::once;
    return precise ? CampaignEnd::precise : CampaignEnd::budget;
  }

  static void add_versions(CampaignResult& campaign) {
    for (const TrialResult& result : campaign.results) {
      if (result.last.outcome.ranks.empty()) continue;
      const auto& versions = result.last.outcome.ranks[0].versions;
      campaign.machine.insert(campaign.machine.end(), versions.begin(), versions.end());
      return;
    }
  }

  const CampaignOptions& options_;
  Progress& progress_;
  double start_s_;
  std::vector<Entry> entries_;
};

void check_options(const std::vector<Trial>& trials, const CampaignOptions& options) {
  if (trials.empty()) throw InputError("there is nothing to measure");
  if (!(options.precision > 0))
    throw InputError(at_field("precision"), "the precision is not above 0", "0.02 is 2 %");
  if (!(options.budget_s >= 0)) throw InputError(at_field("budget"), "the budget is not a time above 0");
}

}  // namespace

CampaignResult run_campaign(const std::vector<Trial>& trials, const CampaignOptions& options,
                            Progress& progress) {
  check_options(trials, options);
  for (const Trial& trial : trials) check_trial(trial, options.supervise);
  return Campaign(trials, options, progress).run();
}

}  // namespace sextant::measure
