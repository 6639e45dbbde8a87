// One factor at a time from the best trial so far: a step up or down, as far as it helps, then the next
// factor; steps are halved when none helps, and a new start is drawn when the smallest do not (Hooke and
// Jeeves 1961, without pattern moves). What people do by hand, done to the end. Page:
// docs/models/search-strategies.md.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "sextant/explore/configuration_set.h"
#include "space_axis.h"
#include "trial_loss.h"
#include "untried.h"

namespace sextant::explore::search_strategy_coordinate_descent {
namespace {

constexpr double kLeastStep = 1.0 / 128;  // of an axis

struct Move {
  Configuration configuration;
  std::size_t factor = 0;
  double direction = 0;    // 0: another level
  std::size_t halved = 0;  // times that the step was
};

// The trials so far, told again: which descent is under way, where it stands, and where it may go.
class Descent {
 public:
  Descent(const SearchView& view, double step) : view_(view), space_(view.problem.space), step_(step) {
    const std::vector<TrialLoss> losses = trial_losses(view);
    for (std::size_t i = 0; i < losses.size(); ++i) {
      tell(view.trials[i].configuration, losses[i]);
    }
  }

  // The first move that was not tried; nothing where the descent has ended, or none has begun.
  const Move* next() {
    if (!started_ || here_.kind == LossKind::failed || here_.kind == LossKind::timed_out) return nullptr;
    while (cursor_ < moves_.size() && tried_.contains(moves_[cursor_].configuration)) ++cursor_;
    return cursor_ < moves_.size() ? &moves_[cursor_] : nullptr;
  }
  [[nodiscard]] std::size_t number() const { return number_; }

 private:
  void tell(const Configuration& configuration, const TrialLoss& loss) {
    if (next() == nullptr) {
      begin(configuration, loss);
    } else if (better(loss, here_)) {
      advance(configuration, loss);
    }
    tried_.insert(configuration);
  }

  void begin(const Configuration& configuration, const TrialLoss& loss) {
    started_ = true;
    here_ = loss;
    order_.resize(space_.factors().size());
    std::iota(order_.begin(), order_.end(), 0);
    Rng rng = Rng(view_.seed).stream("order-of-factors", number_++);
    for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[rng.below(i)]);
    list_moves({configuration, order_.front(), 1, 0});
  }

  // On in the same direction with the same step; a trial that was no move of ours is a start with large ones.
  void advance(const Configuration& configuration, const TrialLoss& loss) {
    here_ = loss;
    const auto made = std::ranges::find(moves_, configuration, &Move::configuration);
    list_moves(made == moves_.end() ? Move{configuration, order_.front(), 1, 0} : Move(*made));
  }

  void list_moves(const Move& last) {
    moves_.clear();
    cursor_ = 0;
    ConfigurationSet listed;
    listed.insert(last.configuration);
    std::vector<std::size_t> order = order_;
    std::rotate(order.begin(), std::ranges::find(order, last.factor), order.end());
    const std::vector<double> from = space_.unit(last.configuration);
    bool first = true;
    for (std::size_t halved = last.halved; std::ldexp(step_, -static_cast<int>(halved)) >= kLeastStep;
         ++halved) {
      for (const std::size_t factor : order) {
        if (std::isnan(last.configuration.values[factor])) continue;
        const bool ahead = factor != last.factor || last.direction >= 0;
        for (Move& move : moves_of(from, factor, halved)) {
          if (move.direction == 0 && !first) continue;
          if (space_.valid(move.configuration) && listed.insert(move.configuration)) {
            moves_.push_back(std::move(move));
          }
        }
        put_ahead(factor, halved, ahead);
      }
      first = false;
    }
  }

  // Of the two moves of a factor that were listed last, the one in the wanted direction first.
  void put_ahead(std::size_t factor, std::size_t halved, bool up) {
    if (moves_.size() < 2) return;
    Move& a = moves_[moves_.size() - 2];
    Move& b = moves_.back();
    const bool pair = a.factor == factor && a.halved == halved && a.direction != 0;
    if (pair && !up) std::swap(a, b);
  }

  [[nodiscard]] std::vector<Move> moves_of(const std::vector<double>& from, std::size_t factor,
                                           std::size_t halved) const {
    const SearchFactor& axis = space_.factors()[factor];
    const double count = value_count(axis);
    std::vector<Move> moves;
    const auto add = [&](double unit, double direction) {
      std::vector<double> to = from;
      to[factor] = unit;
      moves.push_back({space_.at(to), factor, direction, halved});
    };
    if (axis.kind == FactorKind::categorical) {
      for (double level = 0; level < count; ++level) add((level + 0.5) / count, 0);
      return moves;
    }
    // At least to the next value.
    const double step = std::max(std::ldexp(step_, -static_cast<int>(halved)), 1 / count);
    for (const double direction : {1.0, -1.0}) {
      const double to = from[factor] + direction * step;
      add(std::clamp(to, 0.0, std::nextafter(1.0, 0.0)), direction);
    }
    return moves;
  }

  const SearchView& view_;
  const SearchSpace& space_;
  double step_;
  bool started_ = false;
  std::size_t number_ = 0;  // of descents that have begun
  TrialLoss here_;
  std::vector<std::size_t> order_;
  std::vector<Move> moves_;
  std::size_t cursor_ = 0;
  ConfigurationSet tried_;
};

class CoordinateDescent final : public SearchStrategy {
 public:
  explicit CoordinateDescent(double step) : step_(step) {}

  [[nodiscard]] std::optional<Proposal> propose(const SearchView& view) const override {
    Descent descent(view, step_);
    if (const Move* move = descent.next()) {
      return Proposal{.configuration = move->configuration,
                      .reason = "another " + view.problem.space.factors()[move->factor].name};
    }
    Rng rng = Rng(view.seed).stream("coordinate-descent", view.trials.size());
    std::optional<Configuration> start = draw_untried(view, rng);
    if (!start) return std::nullopt;
    return Proposal{.configuration = std::move(*start),
                    .reason = descent.number() == 0 ? "start" : "new start: no step helps"};
  }

 private:
  double step_;
};

}  // namespace

std::vector<SearchStrategyInfo> plugin() {
  return {{{.id = "coordinate-descent",
            .summary = "one factor at a time from the best so far, with halved steps and new starts",
            .reference = "docs/models/search-strategies.md",
            .parameters = {share_parameter("step", "first step, as a share of a factor's range",
                                           {0.25, 0.01, 0.5})}},
           {"one-factor-at-a-time"},
           [](const Parameters& parameters) -> std::unique_ptr<SearchStrategy> {
             return std::make_unique<CoordinateDescent>(parameters.share("step"));
           }}};
}

}  // namespace sextant::explore::search_strategy_coordinate_descent
