#include "share_gain.h"

#include <algorithm>
#include <utility>

namespace sextant::schedule {

namespace {

std::vector<double> price_of_types(const ShareProblem& problem) {
  const bool priced = problem.price_usd_h.size() == problem.gpus.size() &&
                      std::ranges::all_of(problem.price_usd_h, [](double price) { return price > 0; });
  return priced ? problem.price_usd_h : std::vector<double>(problem.gpus.size(), 1);
}

class GainPolicy final : public SharePolicy {
 public:
  explicit GainPolicy(SetGains set) : set_(set) {}

  void allocate(const ShareProblem& problem, Shares& out) override {
    load_share_program(problem, RateView::by_type, program_);
    set_(problem, program_);
    simplex_.solve(program_, optimum_);
    if (!optimum_.feasible) {
      program_.floor.clear();
      simplex_.solve(program_, optimum_);
    }
    treat_equals_equally(program_, optimum_);
    store_shares(optimum_, problem, out);
  }

 private:
  SetGains set_;
  ShareProgram program_;
  ShareOptimum optimum_;
  ShareSimplex simplex_;
};

}  // namespace

std::unique_ptr<SharePolicy> make_gain_policy(SetGains set) {
  return std::make_unique<GainPolicy>(set);
}

std::vector<double> dollars_per_hour(const ShareProblem& problem, const ShareProgram& program) {
  const std::vector<double> price = price_of_types(problem);
  std::vector<double> out(program.rate.size());
  for (std::size_t ij = 0; ij < out.size(); ++ij) {
    out[ij] = price[ij % program.types] * program.gpus[ij / program.types];
  }
  return out;
}

void set_speed_per_price(const ShareProblem& problem, ShareProgram& program) {
  const std::vector<double> price = price_of_types(problem);
  program.gain = program.rate;
  for (std::size_t ij = 0; ij < program.gain.size(); ++ij) program.gain[ij] /= price[ij % program.types];
}

double maximise_ratio(RatioProgram& ratio, ShareSimplex& simplex, ShareOptimum& out) {
  constexpr int kMostGainSteps = 50;
  ShareOptimum trial;
  double best = 0;
  for (int step = 0; step < kMostGainSteps; ++step) {
    ratio.program.gain.assign(ratio.gain.size(), 0);
    for (std::size_t ij = 0; ij < ratio.gain.size(); ++ij) {
      ratio.program.gain[ij] = ratio.gain[ij] - best * ratio.cost[ij];
    }
    simplex.solve(ratio.program, trial);
    if (!trial.feasible) {
      out = trial;
      return 0;
    }
    double gained = 0;
    double spent = 0;
    for (std::size_t ij = 0; ij < ratio.gain.size(); ++ij) {
      gained += ratio.gain[ij] * trial.share[ij];
      spent += ratio.cost[ij] * trial.share[ij];
    }
    const double next = spent > 0 ? gained / spent : 0;
    if (step > 0 && next <= best * (1 + 1e-12)) break;  // idling is as good then: the shares before stay
    best = next;
    std::swap(out, trial);
  }
  return best;
}

}  // namespace sextant::schedule
