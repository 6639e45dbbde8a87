// How far predictions are off when a device, a network or a row is left out of the fit.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "sextant/core/rng.h"
#include "sextant/predict/stack.h"
#include "sextant/predict/trials.h"

namespace sextant::predict {
namespace {

using Rows = std::vector<const Observation*>;
constexpr double kLevel = 0.9;
constexpr std::size_t kSpreadFolds = 5;
constexpr double kClearlyBetter = 0.95;
constexpr double kUsualHalfCount = 4;  // timings that halve the device's part of the variance

// The rank that makes the level hold for one more row like these (split conformal); a few rows say
// nothing certain, and then the start value stands.
void set_width(std::vector<double> errors, double& width) {
  if (errors.size() < 10) return;
  std::ranges::sort(errors);
  const auto rank = static_cast<std::size_t>(std::ceil(kLevel * static_cast<double>(errors.size() + 1)));
  width = errors[std::min(rank, errors.size()) - 1];
}

// Fewer than four devices say little of the next one: their spread is averaged with what stacks with
// more devices show.
double hedged(double measured, std::size_t devices) {
  constexpr std::size_t kEnough = 4;
  constexpr double kUsual = 0.4;
  if (devices >= kEnough) return measured;
  const auto n = static_cast<double>(devices);
  return (n * measured + (static_cast<double>(kEnough) - n) * kUsual) / static_cast<double>(kEnough);
}

double log_error(const StackEstimate& e, const Observation& row) {
  return std::abs(e.log_total - std::log(row.seconds));
}

class SpreadMeasurement {
 public:
  SpreadMeasurement(std::span<const Observation* const> rows, const Stack& fitted,
                    const SpreadRequest& request, Progress& progress)
      : rows_(rows), fitted_(fitted), request_(request), progress_(progress) {}

  Spread run() {
    std::set<std::string> groups;
    for (const Observation* row : rows_) {
      groups.insert("net " + row->labels.net);
      groups.insert("gpu " + row->labels.gpu);
    }
    total_ = static_cast<std::int64_t>(kSpreadFolds + groups.size());
    Spread spread;
    std::vector<double> seen;
    std::vector<double> nets;
    std::vector<double> gpus;
    std::vector<double> anchored;
    if (request_.parts.seen) by_fold([&](const Stack& s, const Rows& out) { collect(s, out, seen); });
    if (request_.parts.new_net) {
      by_group([](const Observation& o) { return o.labels.net; },
               [&](const Stack& s, const Rows& out) { collect(s, out, nets); });
    }
    if (request_.parts.new_gpu) {
      std::vector<LeftOut> folds;
      by_group([](const Observation& o) { return o.labels.gpu; },
               [&](const Stack& s, const Rows& out) {
                 folds.push_back({s, out});
               });
      spread.carry = best_carry(folds);
      for (auto& fold : folds) {
        fold.stack.spread.carry = spread.carry;
        collect(fold.stack, fold.rows, gpus);
        anchor_on(fold.stack, fold.rows, anchored);
      }
    }
    set_width(seen, spread.seen);
    set_width(nets, spread.new_net);
    set_width(gpus, spread.new_gpu);
    spread.new_gpu = hedged(spread.new_gpu, count_gpus());
    set_width(anchored, spread.anchored);
    spread.new_net = std::max(spread.new_net, spread.seen);
    spread.new_gpu = std::max(spread.new_gpu, spread.seen);
    spread.anchored = std::clamp(spread.anchored, spread.seen, spread.new_gpu);
    return spread;
  }

 private:
  using Visit = std::function<void(const Stack&, const Rows&)>;
  struct LeftOut {
    Stack stack;
    Rows rows;
  };

  static double best_carry(std::vector<LeftOut>& folds) {
    double best = 1;
    double least = std::numeric_limits<double>::infinity();
    for (const double carry : {1.0, 0.5, 0.0}) {
      double sum = 0;
      for (auto& fold : folds) {
        fold.stack.spread.carry = carry;
        for (const Observation* row : fold.rows) sum += log_error(estimate(fold.stack, *row), *row);
      }
      if (sum < kClearlyBetter * least) {
        least = sum;
        best = carry;
      }
    }
    return best;
  }

  [[nodiscard]] std::size_t count_gpus() const {
    std::set<std::string> gpus;
    for (const Observation* row : rows_) gpus.insert(row->labels.gpu);
    return gpus.size();
  }

  static void collect(const Stack& stack, const Rows& out, std::vector<double>& errors) {
    for (const Observation* row : out) errors.push_back(log_error(estimate(stack, *row), *row));
  }

  // As a user would who times the cases that the program names.
  static void anchor_on(const Stack& stack, const Rows& out, std::vector<double>& errors) {
    if (out.size() <= 2 * kAnchorRows) return;
    const auto chosen = choose_trials({.candidates = out, .groups = {}, .count = kAnchorRows}, stack.shared);
    Rows timed;
    Rows asked;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const bool is_timed = std::ranges::find(chosen, std::to_string(i)) != chosen.end();
      (is_timed ? timed : asked).push_back(out[i]);
    }
    const Anchor a = anchor(stack, timed);
    for (const Observation* row : asked) errors.push_back(log_error(estimate(stack, a, *row), *row));
  }

  void leave_out(const std::function<bool(std::size_t)>& left_out, const Visit& visit) {
    Rows in;
    Rows out;
    for (std::size_t i = 0; i < rows_.size(); ++i) (left_out(i) ? out : in).push_back(rows_[i]);
    if (in.empty() || out.empty()) return;
    visit(fit_stack(fitted_.id, in, fitted_.traits, request_.options), out);
    progress_.step(++done_, total_, "measuring the error on what is left out");
  }

  void by_group(const std::function<std::string(const Observation&)>& group, const Visit& visit) {
    std::set<std::string> names;
    for (const Observation* row : rows_) names.insert(group(*row));
    if (names.size() < 2) return;
    for (const auto& name : names) {
      leave_out([&](std::size_t i) { return group(*rows_[i]) == name; }, visit);
    }
  }

  void by_fold(const Visit& visit) {
    Rng rng = Rng(1).stream("folds", 0);
    std::vector<std::size_t> fold;
    for (std::size_t i = 0; i < rows_.size(); ++i) fold.push_back(rng.below(kSpreadFolds));
    for (std::size_t f = 0; f < kSpreadFolds; ++f) {
      leave_out([&](std::size_t i) { return fold[i] == f; }, visit);
    }
  }

  std::span<const Observation* const> rows_;
  const Stack& fitted_;
  const SpreadRequest& request_;
  Progress& progress_;
  std::int64_t done_ = 0;
  std::int64_t total_ = 0;
};

// Variance after n timings: the network's own part stays, the device's part shrinks as 1 / (1 + n / n0).
double half_count(const Spread& s) {
  const double left = s.anchored * s.anchored - s.seen * s.seen;
  const double whole = s.new_gpu * s.new_gpu - s.seen * s.seen;
  if (left <= 0 || whole <= left) return kUsualHalfCount;  // not measured, or too noisy to tell
  return static_cast<double>(kAnchorRows) * left / (whole - left);
}

}  // namespace

Spread measure_spread(std::span<const Observation* const> rows, const Stack& fitted,
                      const SpreadRequest& request, Progress& progress) {
  return SpreadMeasurement(rows, fitted, request, progress).run();
}

double anchored_spread(const Spread& s, std::size_t timings, bool known_net) {
  const double device = std::max(0.0, s.new_gpu * s.new_gpu - s.seen * s.seen);
  const double shrink = 1 + static_cast<double>(timings) / half_count(s);
  const double own = known_net ? s.seen : s.new_net;
  return std::sqrt(own * own + device / shrink);
}

std::optional<std::size_t> timings_to_halve(const Spread& s, std::size_t timings, bool known_net) {
  constexpr std::size_t kMost = 1000;
  const double wanted = anchored_spread(s, timings, known_net) / 2;
  for (std::size_t more = 1; more <= kMost; ++more) {
    if (anchored_spread(s, timings + more, known_net) <= wanted) return more;
  }
  return std::nullopt;
}

}  // namespace sextant::predict
