#include "nested.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include "sextant/core/error.h"
#include "sextant/core/run_list.h"

namespace sextant::learn {
namespace {

using Rows = std::vector<std::size_t>;

// Training rows within which something is chosen: one per outer split, and all rows at the end.
struct Scope {
  Split split;
  std::vector<Split> inner;
  Domain domain;  // of the training rows
};

struct Trial {
  double score = std::numeric_limits<double>::infinity();
  std::string failure;
};

class NestedRun {
 public:
  NestedRun(const NestedRequest& request, Progress& progress) : r_(request), progress_(progress) {
    for (auto& split : outer_splits(r_.validation, r_.keys, r_.data.sample.y.size(), r_.seed)) {
      scopes_.push_back({std::move(split), {}, {}});
    }
    Rows all(r_.data.sample.y.size());
    std::iota(all.begin(), all.end(), 0U);
    scopes_.push_back({{std::move(all), {}}, {}, {}});
    for (auto& scope : scopes_) {
      scope.inner = inner_splits(r_.validation, r_.keys, scope.split.train, r_.seed);
      scope.domain = domain_of(r_.data.sample.x.select_rows(scope.split.train));
    }
    for (std::size_t m = 0; m < r_.searches.size(); ++m) {
      for (std::size_t p = 0; p < r_.searches[m].grid.size(); ++p) candidates_.push_back({m, p});
    }
    searching_ = candidates_.size() > 1;
    total_ = (searching_ ? scopes_.size() * candidates_.size() : 0) + outer_folds() * r_.searches.size();
  }

  Nested run() {
    search();
    Nested out;
    out.failures.resize(r_.searches.size());
    out.folds.resize(outer_folds());
    for (std::size_t s = 0; s < scopes_.size(); ++s) {
      auto& choices = s < outer_folds() ? out.folds[s].choices : out.final_choices;
      for (std::size_t m = 0; m < r_.searches.size(); ++m) choices.push_back(choose(s, m));
    }
    measure(out);
    for (std::size_t m = 0; m < r_.searches.size(); ++m) {
      for (const auto& fold : out.folds) {
        if (out.failures[m].empty()) out.failures[m] = fold.choices[m].failure;
      }
      if (out.failures[m].empty()) out.failures[m] = out.final_choices[m].failure;
    }
    return out;
  }

 private:
  struct StepwiseCandidate {
    std::size_t method, point;
  };

  [[nodiscard]] std::size_t outer_folds() const { return scopes_.size() - 1; }

  void step(const std::string& note) {
    const std::scoped_lock lock(mutex_);
    progress_.step(++done_, static_cast<std::int64_t>(total_), note);
  }

  // Trained on split.train, asked about split.test.
  std::vector<OuterRow> left_out(const StepwiseCandidate& c, const Split& split, const Domain* domain) const {
    const Sample train = select_rows(r_.data.sample, split.train);
    const MethodSearch& search = r_.searches[c.method];
    const auto regressor =
        search.method->fit(train, with_settings(*search.method, search.grid[c.point]), r_.seed);
    const double floor = r_.data.positive ? positive_floor(train.y) : 0;
    std::vector<OuterRow> rows;
    for (const std::size_t row : split.test) {
      const auto x = r_.data.sample.x.row(row);
      double value = regressor->predict(x);
      if (!std::isfinite(value) || (floor > 0 && value < floor)) value = floor;
      rows.push_back({row, r_.data.sample.y[row], value, domain != nullptr && !domain->contains(x)});
    }
    return rows;
  }

  std::vector<OuterRow> inner_left_out(const StepwiseCandidate& c, const Scope& scope) const {
    std::vector<OuterRow> rows;
    for (const auto& split : scope.inner) {
      const auto part = left_out(c, split, nullptr);
      rows.insert(rows.end(), part.begin(), part.end());
    }
    return rows;
  }

  Trial trial(const StepwiseCandidate& c, const Scope& scope) const {
    try {
      std::vector<double> measured;
      std::vector<double> predicted;
      for (const auto& row : inner_left_out(c, scope)) {
        measured.push_back(row.measured);
        // Beyond this a percentage could not be squared any more; as a choice it is lost anyway.
        predicted.push_back(std::clamp(row.predicted, -1e140, 1e140));
      }
      if (measured.empty()) throw InputError("too few rows to choose parameters on");
      return {selection_score(compare(measured, predicted)), {}};
    } catch (const InputError& error) {
      return {std::numeric_limits<double>::infinity(), error.message()};
    }
  }

  void search() {
    trials_.resize(scopes_.size() * candidates_.size());
    if (!searching_) return;
    in_parallel(trials_.size(), r_.threads, [&](std::size_t i) {
      const StepwiseCandidate& c = candidates_[i % candidates_.size()];
      trials_[i] = trial(c, scopes_[i / candidates_.size()]);
      step(r_.searches[c.method].method->id);
    });
  }

  [[nodiscard]] Choice choose(std::size_t scope, std::size_t method) const {
    if (!searching_) return {};
    Choice best{0, std::numeric_limits<double>::infinity(), {}};
    for (std::size_t c = 0; c < candidates_.size(); ++c) {
      if (candidates_[c].method != method) continue;
      const Trial& t = trials_[scope * candidates_.size() + c];
      if (best.failure.empty()) best.failure = t.failure;
      if (t.score < best.score) best = {candidates_[c].point, t.score, {}};
    }
    if (std::isfinite(best.score)) best.failure.clear();
    return best;
  }

  void measure(Nested& out) {
    const std::size_t count = r_.searches.size();
    for (auto& fold : out.folds) {
      fold.rows.resize(count);
      fold.inner_rows.resize(count);
    }
    in_parallel(outer_folds() * count, r_.threads, [&](std::size_t i) {
      OuterFold& fold = out.folds[i / count];
      const Scope& scope = scopes_[i / count];
      Choice& choice = fold.choices[i % count];
      const StepwiseCandidate c{i % count, choice.point};
      try {
        if (choice.failure.empty()) fold.rows[c.method] = left_out(c, scope.split, &scope.domain);
        if (choice.failure.empty() && outer_folds() == 1)
          fold.inner_rows[c.method] = inner_left_out(c, scope);
      } catch (const InputError& error) {
        choice.failure = error.message();
      }
      step(r_.searches[c.method].method->id);
    });
  }

  const NestedRequest& r_;
  Progress& progress_;
  std::vector<Scope> scopes_;
  std::vector<StepwiseCandidate> candidates_;
  bool searching_ = false;
  std::vector<Trial> trials_;
  std::mutex mutex_;
  std::int64_t done_ = 0;
  std::size_t total_ = 0;
};

}  // namespace

Nested run_nested(const NestedRequest& request, Progress& progress) {
  return NestedRun(request, progress).run();
}

std::size_t best_method(const std::vector<Choice>& choices, const std::vector<std::string>& failures) {
  std::size_t best = choices.size();
  for (std::size_t m = 0; m < choices.size(); ++m) {
    if (!failures[m].empty()) continue;
    if (best == choices.size() || choices[m].score < choices[best].score) best = m;
  }
  return best;
}

}  // namespace sextant::learn
