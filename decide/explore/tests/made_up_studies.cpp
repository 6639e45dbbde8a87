#include "made_up_studies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "space_fixture.h"

namespace sextant::explore::test {
namespace {

double squared(double x) {
  return x * x;
}

SearchProblem problem_of(std::vector<SearchFactor> factors) {
  return {.space = SearchSpace(std::move(factors), {}), .objectives = {{.metric = "cost"}}};
}

SearchFactor powers(const std::string& name, int from, int to) {
  std::vector<std::string> levels;
  for (int i = from; i <= to; ++i) levels.push_back(std::to_string(1 << i));
  return ordinal_factor(name, std::move(levels));
}
// Of a factor made by powers().
double power(const Configuration& at, std::size_t factor, int from) {
  return std::exp2(at.values[factor] + from);
}

// Epoch of data-parallel training: few workers compute long, many wait for each other, small batches waste
// the device. Best at 6 workers and a batch of 128.
MadeUpStudy inside() {
  return {"optimum inside", problem_of({integer_factor("workers", 1, 16), powers("batch", 3, 9)}),
          [](const Configuration& at) {
            const double w = at.values[0];
            const double b = power(at, 1, 3);
            return 400 * (1 + 24 / b) / w + 9 * w + 0.12 * b;
          }};
}

// The same kind with three factors, each with its best well inside.
MadeUpStudy inside_of_three() {
  return {
      "inside, three factors",
      problem_of({integer_factor("workers", 1, 12), integer_factor("servers", 1, 6), powers("batch", 3, 9)}),
      [](const Configuration& at) {
        const double w = at.values[0];
        const double s = at.values[1];
        const double b = power(at, 2, 3);
        return 300 * (1 + 30 / b) / w + 40 * w / s / std::sqrt(b) + 12 * s + 0.1 * b + 4 * w;
      }};
}

// A learning rate and two shares: none is an amount, so nothing is small or large.
MadeUpStudy inside_of_a_cube() {
  SearchFactor rate = real_factor("rate", 1e-5, 1e-1);
  rate.log = true;
  return {"inside, real factors",
          problem_of({rate, real_factor("momentum", 0, 1), real_factor("dropout", 0, 0.8)}),
          [](const Configuration& at) {
            const double r = std::log10(at.values[0] / 1e-3);
            return 1 + 0.35 * r * r + 2.5 * squared(at.values[1] - 0.7) + 1.5 * squared(at.values[2] - 0.3);
          },
          0,
          1,
          false};
}

// Every run with 8 workers fails, say for a broken machine; 16 are nearly as good, 8 would be the best.
MadeUpStudy failure_at_one_level() {
  return {"8 workers fail", problem_of({powers("workers", 0, 5), powers("batch", 4, 8)}),
          [](const Configuration& at) -> std::optional<double> {
            const double w = power(at, 0, 0);
            if (w == 8) return std::nullopt;
            return 600 / w + 8 * w + 800 / power(at, 1, 4);
          }};
}

// The largest runs out of memory and a run with 8 workers fails by accident: 16 are the best.
MadeUpStudy failure_on_the_way() {
  return {"failure on the way", problem_of({powers("workers", 0, 5), powers("batch", 4, 9)}),
          [](const Configuration& at) -> std::optional<double> {
            const double w = power(at, 0, 0);
            const double b = power(at, 1, 4);
            if ((w == 8 && b >= 64) || w * b > 8192) return std::nullopt;
            return 1000 / w + 2 * w + 1500 / b + 0.1 * b;
          }};
}

// Runs with more than 4 workers fail where the batch is small: a deadlock of the input.
MadeUpStudy failing_quarter() {
  return {"a quarter fails", problem_of({integer_factor("workers", 1, 16), powers("batch", 3, 9)}),
          [](const Configuration& at) -> std::optional<double> {
            const double w = at.values[0];
            const double b = power(at, 1, 3);
            if (w > 4 && b < 64) return std::nullopt;
            return 900 / w + 6 * w + 0.15 * b + 600 / b;
          }};
}

// The largest configurations run out of memory; the best is next to them.
MadeUpStudy memory_edge() {
  return {"edge of memory", problem_of({integer_factor("workers", 1, 8), powers("batch", 3, 9)}),
          [](const Configuration& at) -> std::optional<double> {
            const double w = at.values[0];
            const double b = power(at, 1, 3);
            if (b * w > 800 || b > 256) return std::nullopt;
            return 40 + 7000 / (b * w) + 3 * w;
          }};
}

// One run in seven fails by accident, wherever it is.
MadeUpStudy accidents() {
  return {"accidents", problem_of({integer_factor("workers", 1, 16), powers("batch", 3, 9)}),
          [](const Configuration& at) -> std::optional<double> {
            const double w = at.values[0];
            const double b = power(at, 1, 3);
            const auto place = static_cast<int>(16 * at.values[1] + w);
            if (place * 37 % 7 == 0) return std::nullopt;
            return 500 * (1 + 16 / b) / w + 5 * w + 0.1 * b;
          }};
}

// What counts is the global batch; along it hardly anything changes.
MadeUpStudy ridge() {
  return {"ridge", problem_of({powers("workers", 0, 6), powers("batch", 3, 9)}), [](const Configuration& at) {
            const double w = at.values[0];
            const double off = w + at.values[1] - 6;
            return 20 * std::exp(0.35 * std::abs(off)) * (1 + 0.02 * squared(w - 2));
          }};
}

// One of six protocols is a third better, at a buffer in the middle.
MadeUpStudy best_level() {
  return {
      "one level best",
      problem_of({categorical_factor("protocol", {"a", "b", "c", "d", "e", "f"}), powers("buffer", 0, 7)}),
      [](const Configuration& at) {
        constexpr std::array<double, 6> kFactor = {1.35, 1.6, 1.45, 1.0, 1.5, 1.4};
        constexpr std::array<double, 6> kBest = {3, 4, 2, 5, 4, 3};
        const auto level = static_cast<std::size_t>(at.values[0]);
        return 50 * kFactor[level] * (1 + 0.05 * squared(at.values[1] - kBest[level]));
      }};
}

// Machines of four types; a job that swaps takes four times as long.
MadeUpStudy memory_cliff() {
  SearchFactor vm{.name = "vm", .levels = {"small", "fat", "large", "huge"}};
  vm.features = {{"cores", "memory"}, stats::Matrix::from_rows({{2, 4}, {2, 16}, {8, 16}, {8, 64}})};
  SearchProblem problem = problem_of({std::move(vm), integer_factor("count", 1, 12)});
  return {"memory cliff", problem, [space = problem.space](const Configuration& at) {
            const std::vector<double> x = space.features(at);
            const double time = 10 + 400 / (x[0] * x[2]) + 0.5 * x[2];
            return time * x[2] * (0.05 * x[0] + 0.01 * x[1]) * (x[1] * x[2] < 48 ? 4 : 1);
          }};
}

MadeUpStudy noisy() {
  MadeUpStudy study = inside();
  study.name = "inside, 10 % noise";
  study.noise = 0.1;
  return study;
}

// Nothing is worth a search: three percent between the best and the worst.
MadeUpStudy flat() {
  return {
      "flat", problem_of({integer_factor("workers", 1, 16), powers("batch", 3, 9)}),
      [](const Configuration& at) { return 100 + 0.02 * squared(at.values[0] - 5) + 0.1 * at.values[1]; }};
}

// A wide valley in one half, a narrower and deeper one in the other.
MadeUpStudy two_valleys() {
  return {.name = "two valleys",
          .problem = problem_of({integer_factor("threads", 1, 24), integer_factor("queue", 1, 12)}),
          .cost =
              [](const Configuration& at) {
                const auto valley = [&](double x, double y, double width) {
                  return std::exp(-(squared(at.values[0] - x) + squared(at.values[1] - y)) / squared(width));
                };
                return 100 - 45 * valley(6, 8, 7) - 65 * valley(19, 4, 3.5);
              },
          .deceptive = true};
}

// A trend that leads to the wrong end, and a valley beside it.
MadeUpStudy misleading_trend() {
  return {"misleading trend", problem_of({integer_factor("threads", 1, 16), integer_factor("blocks", 1, 16)}),
          [](const Configuration& at) {
            const double valley = std::exp(-(squared(at.values[0] - 5) + squared(at.values[1] - 10)) / 16);
            return 100 - 1.5 * at.values[0] + 0.7 * at.values[1] - 50 * valley;
          }};
}

// Machines of eight types and their number: cost of a job that is half serial, on prices that are not quite
// proportional. Best in the middle of both.
MadeUpStudy machines_inside() {
  SearchFactor vm{.name = "vm", .levels = {"a1", "a2", "a4", "b1", "b2", "b4", "c2", "c4"}};
  vm.features = {{"cores", "memory", "usd_per_h"},
                 stats::Matrix::from_rows({{2, 4, 0.1},
                                           {4, 8, 0.18},
                                           {8, 16, 0.4},
                                           {2, 8, 0.12},
                                           {4, 16, 0.2},
                                           {8, 32, 0.44},
                                           {4, 32, 0.27},
                                           {8, 64, 0.53}})};
  SearchProblem problem = problem_of({std::move(vm), integer_factor("count", 1, 12)});
  return {"machines, inside", problem, [space = problem.space](const Configuration& at) {
            const std::vector<double> x = space.features(at);
            const double swap = x[1] * x[3] < 60 ? 3 * (60 / (x[1] * x[3]) - 1) : 0;
            const double time = 0.4 + 30 / (x[0] * x[3]) + 0.06 * x[3] + swap;
            return time * x[2] * x[3];
          }};
}

// Walls a factor of ten high around the best.
MadeUpStudy steep() {
  return {"steep, inside",
          problem_of({powers("workers", 0, 6), powers("batch", 3, 9), integer_factor("depth", 1, 6)}),
          [](const Configuration& at) {
            return 5 * std::exp(0.9 * std::abs(at.values[0] - 2) + 0.7 * std::abs(at.values[1] - 4) +
                                0.5 * std::abs(at.values[2] - 3));
          }};
}

// More of everything is better.
MadeUpStudy large_corner() {
  return {"largest best", problem_of({integer_factor("workers", 1, 16), powers("batch", 3, 9)}),
          [](const Configuration& at) { return 20 + 900 / at.values[0] + 2000 / power(at, 1, 3); }};
}

// Two of six switches and numbers matter.
MadeUpStudy few_matter() {
  return {"two of six matter",
          problem_of({integer_factor("workers", 1, 8), integer_factor("threads", 1, 8), powers("batch", 4, 8),
                      categorical_factor("cache", {"off", "on"}), categorical_factor("pin", {"off", "on"}),
                      integer_factor("prefetch", 0, 4)}),
          [](const Configuration& at) {
            return 60 + 6 * squared(at.values[1] - 5) + 5 * squared(at.values[2] - 2) +
                   0.5 * std::abs(at.values[0] - 4) + at.values[3];
          }};
}

double least_cost(const MadeUpStudy& study) {
  double least = std::numeric_limits<double>::infinity();
  const std::vector<Configuration> all = study.problem.space.all(20000).value();
  for (const Configuration& each : all) {
    if (const std::optional<double> cost = study.cost(each)) least = std::min(least, *cost);
  }
  return least;
}

Trial run(const MadeUpStudy& study, Configuration configuration, std::size_t number, std::uint64_t seed) {
  Trial trial{.number = static_cast<std::int64_t>(number), .configuration = std::move(configuration)};
  const std::optional<double> cost = study.cost(trial.configuration);
  trial.outcome.state = cost ? TrialState::completed : TrialState::failed;
  Rng rng = Rng(seed).stream("noise", number);
  if (cost) trial.outcome.metrics["cost"] = *cost * std::exp(study.noise * rng.normal());
  return trial;
}

}  // namespace

std::vector<MadeUpStudy> made_up_studies() {
  std::vector<MadeUpStudy> studies = {inside(),
                                      inside_of_three(),
                                      inside_of_a_cube(),
                                      failure_at_one_level(),
                                      failure_on_the_way(),
                                      failing_quarter(),
                                      misleading_trend(),
                                      machines_inside(),
                                      steep(),
                                      memory_edge(),
                                      accidents(),
                                      ridge(),
                                      best_level(),
                                      memory_cliff(),
                                      noisy(),
                                      flat(),
                                      two_valleys(),
                                      large_corner(),
                                      few_matter()};
  for (MadeUpStudy& study : studies) {
    if (study.listed) study.optimum = least_cost(study);
  }
  return studies;
}

MadeUpSearch search_made_up(const MadeUpStudy& study, const std::string& strategy, const MadeUpTrials& trials,
                            std::uint64_t seed) {
  const auto search = make_search_strategy(strategy);
  MadeUpSearch result;
  std::vector<Trial> done;
  while (done.size() < trials.most && (result.stopped_after == 0 || done.size() < trials.least)) {
    std::optional<Proposal> next = search->propose({study.problem, done, seed});
    if (!next) break;
    if (next->stop && result.stopped_after == 0) result.stopped_after = done.size();
    done.push_back(run(study, std::move(next->configuration), done.size() + 1, seed));
    const std::optional<std::size_t> best = best_trial(study.problem, done);
    result.ratio.push_back(best ? *study.cost(done[*best].configuration) / study.optimum : kNothingYet);
  }
  if (result.stopped_after == 0) result.stopped_after = done.size();
  return result;
}

}  // namespace sextant::explore::test
