// When a search of a front ends: every direction has to be done, and what was found covers most of the front.
#include "several_objectives.h"

#include <gmock/gmock.h>

#include <cmath>
#include <numbers>

#include "hypervolume.h"
#include "search_loop.h"
#include "space_fixture.h"

namespace sextant::explore {
namespace {

using test::integer_factor;
using testing::HasSubstr;

// Says stop where the best by its only objective is at or below a threshold.
class Until final : public SearchStrategy {
 public:
  explicit Until(double enough) : enough_(enough) {}
  [[nodiscard]] std::optional<Proposal> propose(const SearchView& view) const override {
    const Objective& objective = view.problem.objectives.at(0);
    const std::optional<std::size_t> best = best_trial(view.problem, view.trials);
    const double value = best ? loss(view.trials[*best], objective).value() : 1e9;
    return Proposal{
        .configuration = {{3}}, .reason = "next", .chance_of_better = value / 10, .stop = value <= enough_};
  }

 private:
  double enough_;
};

Trial at(double a, double b) {
  return {.configuration = {{0}},
          .outcome = {.state = TrialState::completed, .metrics = {{"a", a}, {"b", b}}}};
}

class SeveralObjectives : public testing::Test {
 protected:
  [[nodiscard]] Proposal ask(double enough, const std::vector<Trial>& trials) const {
    return with_several_objectives(std::make_unique<Until>(enough))
        ->propose({.problem = problem_, .trials = trials, .seed = 1})
        .value();
  }
  SearchProblem problem_{.space = SearchSpace({integer_factor("x", 0, 9)}, {}), .objectives = {{"a"}, {"b"}}};
};

TEST_F(SeveralObjectives, StopsWhenEveryDirectionIsDone) {
  // Whatever the weights, the function is at most 1.05 at an end of the front.
  const Proposal done = ask(3, {at(1, 3), at(3, 1)});
  EXPECT_TRUE(done.stop);
  EXPECT_THAT(done.reason, HasSubstr("weights"));
  const Proposal alone = ask(3, {at(1, 9), at(3, 8)});
  EXPECT_FALSE(alone.stop);
  EXPECT_EQ(alone.reason, "next (b alone)");
  EXPECT_DOUBLE_EQ(alone.chance_of_better.value(), 0.8) << "of the direction that is not done";
  EXPECT_FALSE(ask(0, {at(1, 3), at(3, 1)}).stop) << "the drawn direction is not done";
}

// Both ends are as good as asked for, but what lies between them is far behind the line from end to end.
TEST_F(SeveralObjectives, TheMiddleOfAFrontCountsToo) {
  const std::vector<Trial> ends = {at(0, 1), at(1, 0), at(40, 40)};
  // Over all trials the ends are at 1/40; over the front, at 1: 1 + 0.75 + 0.05 * 0.75 or less.
  const Proposal middle = ask(1.5, ends);
  EXPECT_FALSE(middle.stop);
  EXPECT_EQ(middle.reason, "next (weights 0.5, 0.5)");
  EXPECT_TRUE(ask(1.6, ends).stop);
}

TEST_F(SeveralObjectives, ATrialThatIsBestInEverythingIsAWholeFront) {
  EXPECT_TRUE(ask(1, {at(1, 1), at(3, 3)}).stop);
}

// Two objectives on a grid of 21 by 21, both axes from 0 to 1.
using Values = std::vector<double> (*)(double x, double y);
constexpr int kSteps = 20;

std::vector<double> convex(double x, double y) {
  return {x * x + y, (1 - x) * (1 - x) + y};
}
// Time and cost of a job on 1 to 16 workers with batches of 16 to 256.
std::vector<double> time_and_cost(double x, double y) {
  const double workers = 1 + 15 * x;
  const double time = 1000 / (workers * 16 * std::pow(2, 4 * y)) + 0.02 * workers + 5 / workers;
  return {time, time * workers * (1 + 0.3 * x)};
}
std::vector<double> waved_arc(double x, double y) {
  const double radius = 1 + y + 0.3 * std::sin(9 * x);
  const double angle = x * std::numbers::pi / 2;
  return {radius * std::cos(angle) + 1, radius * std::sin(angle) + 1};
}

// The true front, and the worst of it plus a tenth of its extent.
struct TrueFront {
  std::vector<std::vector<double>> points;
  std::vector<double> reference;
};
TrueFront true_front(Values values) {
  std::vector<Trial> all;
  for (int x = 0; x <= kSteps; ++x) {
    for (int y = 0; y <= kSteps; ++y) {
      const std::vector<double> v = values(1.0 * x / kSteps, 1.0 * y / kSteps);
      all.push_back(at(v[0], v[1]));
    }
  }
  const SearchProblem problem{.space = SearchSpace({integer_factor("x", 0, 9)}, {}),
                              .objectives = {{"a"}, {"b"}}};
  TrueFront front;
  for (const std::size_t i : pareto_trials(problem, all)) {
    front.points.push_back({all[i].outcome.metrics.at("a"), all[i].outcome.metrics.at("b")});
  }
  for (const std::size_t j : {0, 1}) {
    const auto [low, high] =
        std::ranges::minmax(front.points, {}, [j](const std::vector<double>& point) { return point[j]; });
    front.reference.push_back(high[j] + 0.1 * (high[j] - low[j]));
  }
  return front;
}

TEST_F(SeveralObjectives, StopsEarlyWithMostOfTheFront) {
  const SearchProblem problem{
      .space = SearchSpace({integer_factor("x", 0, kSteps), integer_factor("y", 0, kSteps)}, {}),
      .objectives = {{"a"}, {"b"}}};
  const auto strategy = make_search_strategy("sextant");
  for (const Values values : {convex, time_and_cost, waved_arc}) {
    const TrueFront front = true_front(values);
    std::vector<Trial> trials;
    std::vector<std::vector<double>> found;
    std::optional<Proposal> next = strategy->propose({problem, trials, 1});
    while (!next->stop && trials.size() < 100) {
      const Configuration& at = next->configuration;
      found.push_back(values(at.values[0] / kSteps, at.values[1] / kSteps));
      trials.push_back({.number = std::ssize(trials) + 1,
                        .configuration = at,
                        .outcome = {.state = TrialState::completed,
                                    .metrics = {{"a", found.back()[0]}, {"b", found.back()[1]}}}});
      next = strategy->propose({problem, trials, 1});
    }
    EXPECT_TRUE(next->stop) << trials.size();
    EXPECT_GT(hypervolume(found, front.reference) / hypervolume(front.points, front.reference), 0.97);
    EXPECT_TRUE(next->chance_of_better);
  }
}

}  // namespace
}  // namespace sextant::explore
