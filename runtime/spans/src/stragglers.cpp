// Under synchronous collectives everybody takes as long as the slowest, and the slowest waits least: so
// arrival at the barriers is compared, not the iteration. Without collectives, the time of the training
// thread's work.
#include <algorithm>

#include "analysis_parts.h"
#include "robust_score.h"
#include "sextant/stats/robust.h"

namespace sextant::spans {
namespace {

constexpr std::size_t kWindow = 5;
constexpr std::size_t kFlagged = 3;       // of a window
constexpr std::size_t kFewestAcross = 4;  // workers, for a deviation among them to mean anything

using Table = std::vector<std::vector<double>>;  // [worker][cycle]

Table work_before_barriers(const RunTimeline& run, const RunTotals& totals) {
  Table table(run.workers.size());
  for (std::size_t w = 0; w < totals.size(); ++w)
    for (const CycleTotals& cycle : totals[w]) {
      double work = cycle.progress_s;
      if (!run.coupled()) {
        for (PhaseIndex p = 0; p < cycle.phase.size(); ++p)
          if (p != PhaseTable::kCommunication && p != PhaseTable::kOther) work += cycle.phase[p];
      }
      table[w].push_back(work);
    }
  return table;
}

std::vector<double> column(const Table& table, std::size_t cycle, std::size_t without = kNone) {
  std::vector<double> values;
  for (std::size_t w = 0; w < table.size(); ++w)
    if (w != without) values.push_back(table[w][cycle]);
  return values;
}

// Two or three workers say little about how much workers differ; how much each varies from one iteration to
// the next says what chance does.
double usual_variation(const Table& table) {
  std::vector<double> deviations;
  for (const auto& worker : table) deviations.push_back(stats::mad(worker));
  return stats::median(deviations);
}

struct Lateness {
  double seconds = 0;
  double score = 0;
};

std::vector<Lateness> lateness(const Table& table, std::size_t worker, double variation) {
  std::vector<Lateness> late;
  for (std::size_t c = 0; c < table[worker].size(); ++c) {
    RobustScale scale;
    if (table.size() >= kFewestAcross) {
      scale = robust_scale(column(table, c));
    } else {
      scale.center = stats::median(column(table, c, worker));
      scale.sigma = std::max(variation, kSigmaFloor * scale.center);
    }
    const double value = table[worker][c];
    late.push_back({value - scale.center, scale.score(value)});
  }
  return late;
}

// Cycles that are late and in a window of which enough are.
std::vector<std::size_t> late_cycles(const std::vector<Lateness>& late) {
  const std::size_t window = std::min(kWindow, late.size());
  std::vector<bool> counts(late.size(), false);
  for (std::size_t first = 0; first + window <= late.size(); ++first) {
    const auto flagged = std::count_if(late.begin() + static_cast<std::ptrdiff_t>(first),
                                       late.begin() + static_cast<std::ptrdiff_t>(first + window),
                                       [](const Lateness& l) { return l.score > kOutlierScore; });
    if (static_cast<std::size_t>(flagged) < kFlagged) continue;
    for (std::size_t i = first; i < first + window; ++i)
      if (late[i].score > kOutlierScore) counts[i] = true;
  }
  std::vector<std::size_t> cycles;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i]) cycles.push_back(i);
  return cycles;
}

// The phase that exceeds the other workers' most in these cycles.
PhaseIndex late_phase(const RunTotals& totals, std::size_t worker, const std::vector<std::size_t>& cycles) {
  PhaseIndex worst = PhaseTable::kOther;
  double most = 0;
  for (PhaseIndex p = 0; p < totals[worker].front().phase.size(); ++p) {
    if (p == PhaseTable::kCommunication) continue;
    std::vector<double> excess;
    for (const std::size_t c : cycles) {
      std::vector<double> others;
      for (std::size_t w = 0; w < totals.size(); ++w)
        if (w != worker) others.push_back(totals[w][c].phase[p]);
      excess.push_back(totals[worker][c].phase[p] - stats::median(others));
    }
    const double typical = stats::median(excess);
    if (typical > most) {
      most = typical;
      worst = p;
    }
  }
  return worst;
}

}  // namespace

std::vector<Straggler> find_stragglers(const RunTimeline& run, const RunTotals& totals) {
  std::vector<Straggler> stragglers;
  if (run.workers.size() < 2) return stragglers;
  const Table table = work_before_barriers(run, totals);
  const double variation = usual_variation(table);
  for (std::size_t w = 0; w < table.size(); ++w) {
    const std::vector<Lateness> late = lateness(table, w, variation);
    const std::vector<std::size_t> cycles = late_cycles(late);
    if (cycles.empty()) continue;
    std::vector<double> seconds;
    std::vector<double> scores;
    for (const std::size_t c : cycles) {
      seconds.push_back(late[c].seconds);
      scores.push_back(late[c].score);
    }
    stragglers.push_back({.process = run.workers[w].process,
                          .phase = run.phases.names()[late_phase(totals, w, cycles)],
                          .late_s = stats::median(seconds),
                          .robust_z = stats::median(scores),
                          .iterations = std::ssize(cycles)});
  }
  return stragglers;
}

}  // namespace sextant::spans
