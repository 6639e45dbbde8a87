// Aggregation rules on what 100 clients send, a million numbers each, on two threads: against the mean of the
// same updates, which reads each once. `seconds` is the median of the rule's own times, `cpu_seconds` of both
// threads' processor time, which says more where other work is on the machine. scripts/robust_compare.py runs
// these beside NumPy.
#include <ctime>
#include <memory>

#include "ratio.h"
#include "sextant/core/rng.h"
#include "sextant/robust/aggregator.h"

namespace sextant::bench {
namespace {

constexpr std::size_t kClients = 100;
constexpr std::size_t kThreads = 2;

class ClientUpdates {
 public:
  explicit ClientUpdates(std::size_t d) : rows_(kClients, std::vector<float>(d)) {
    Rng rng = Rng(1).stream("updates");
    updates_.dimension = d;
    for (std::size_t i = 0; i < kClients; ++i) {
      for (float& value : rows_[i]) value = static_cast<float>(rng.uniform() - 0.5);
      updates_.rows.push_back({.values = rows_[i], .client = static_cast<std::int64_t>(i)});
    }
  }
  [[nodiscard]] const robust::Updates& view() const { return updates_; }

 private:
  std::vector<std::vector<float>> rows_;
  robust::Updates updates_;
};

// Kept for all rules: they take four hundred megabytes.
const robust::Updates& client_updates(std::size_t d) {
  static std::unique_ptr<ClientUpdates> kept;
  if (kept == nullptr || kept->view().dimension != d) kept = std::make_unique<ClientUpdates>(d);
  return kept->view();
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// As a server has it, which keeps it over all rounds; the first one has been.
class Rounds {
 public:
  Rounds(const std::string& rule, const robust::Updates& updates)
      : updates_(updates), aggregator_(robust::parse_rule(rule), {.threads = kThreads}) {
    next();
  }
  std::size_t next() { return aggregator_.aggregate(updates_, round_++).values.size(); }

 private:
  const robust::Updates& updates_;
  robust::Aggregator aggregator_;
  std::int64_t round_ = 0;
};

void rule_against_mean(benchmark::State& state, const std::string& rule) {
  const robust::Updates& updates = client_updates(static_cast<std::size_t>(state.range(0)));
  Rounds rounds(rule, updates);
  Rounds means("mean", updates);
  std::vector<double> seconds;
  std::vector<double> cpu_seconds;
  report_ratio(
      state,
      [&] {
        const std::clock_t start = std::clock();  // of all threads
        seconds.push_back(seconds_of([&] { return rounds.next(); }));
        cpu_seconds.push_back(static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
        return cpu_seconds.size();
      },
      [&] { return means.next(); });
  state.counters["seconds"] = median(seconds);
  state.counters["cpu_seconds"] = median(cpu_seconds);
}

const bool registered = [] {
  for (const auto& rule : robust::rules().all()) {
    benchmark::RegisterBenchmark(("robust/" + rule.id).c_str(),
                                 [id = rule.id](benchmark::State& state) { rule_against_mean(state, id); })
        ->Arg(1'000'000)
        ->UseManualTime()
        ->Iterations(5)
        ->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace sextant::bench
