// Nodes that crash and are mended: a renewal process per node. The time up to a crash and the time to mend
// are Weibull with the stated means; shape 1 is the exponential, below 1 is infant mortality, above is wear.
#include <cmath>

#include "sextant/core/infinity.h"
#include "sextant/core/text.h"
#include "sextant/simulate/fault.h"

namespace sextant::simulate::fault_crash {
namespace {

// Weibull times by inversion: scale (-ln(1 - u))^(1/shape), whose mean is scale Gamma(1 + 1/shape).
class WeibullTime {
 public:
  WeibullTime(double mean_s, double shape)
      : scale_(mean_s / std::tgamma(1 + 1 / shape)), exponent_(1 / shape) {}

  double draw(Rng& rng) const {
    const double unit = rng.exponential(1);
    return scale_ * (exponent_ == 1 ? unit : std::pow(unit, exponent_));
  }

 private:
  double scale_;
  double exponent_;
};

class Crash final : public FaultProcess {
 public:
  explicit Crash(const FaultSetup& setup)
      : mean_up_(setup.parameters.seconds("mtbf").value),
        up_(mean_up_, setup.parameters.number("shape")),
        down_(setup.parameters.seconds("mttr").value, setup.parameters.number("repair-shape")) {
    if (never()) return;
    nodes_.reserve(static_cast<std::size_t>(setup.nodes));
    for (std::int64_t n = 0; n < setup.nodes; ++n) {
      nodes_.push_back(setup.rng.stream("node", static_cast<std::uint64_t>(n)));
    }
  }

  Outage next(std::int64_t node, double now_s) override {
    if (never()) return {.at_s = kInfinity, .until_s = kInfinity};
    Rng& rng = nodes_.at(static_cast<std::size_t>(node));
    const double up = up_.draw(rng);
    const double down = down_.draw(rng);
    return {.at_s = now_s + up, .until_s = now_s + up + down};
  }

  [[nodiscard]] double mean_time_between_s() const override { return never() ? kInfinity : mean_up_; }

 private:
  [[nodiscard]] bool never() const { return mean_up_ == 0 || std::isinf(mean_up_); }

  double mean_up_;
  WeibullTime up_;
  WeibullTime down_;
  std::vector<Rng> nodes_;
};

std::unique_ptr<FaultProcess> make_crash(const FaultSetup& setup) {
  const double mean_up = setup.parameters.seconds("mtbf").value;
  if (mean_up > 0 && mean_up < 1) {
    throw InputError("a node that crashes every " + number_text(mean_up) +
                     " s: mtbf is 0 (never) or at least 1 s");
  }
  return std::make_unique<Crash>(setup);
}

}  // namespace

std::vector<FaultInfo> plugin() {
  FaultInfo info;
  info.id = "crash";
  info.summary = "nodes crash and come back after repair; their jobs go back to the last checkpoint";
  info.reference = "Weibull renewal process: Schroeder and Gibson, DSN 2006";
  info.parameters = {
      seconds_parameter("mtbf", "mean time of a node from being up to its next crash; 0 or inf: never",
                        {30 * 86400.0, 0, kInfinity}),
      seconds_parameter("mttr", "mean time to repair", {3600, 0, 1e12}),
      number_parameter("shape", "Weibull shape of the time to a crash; 1: exponential", {1, 0.1, 20}),
      number_parameter("repair-shape", "Weibull shape of the time to repair; 1: exponential", {1, 0.1, 20})};
  info.aliases = {"crashes", "node-crash"};
  info.make = make_crash;
  return {info};
}

}  // namespace sextant::simulate::fault_crash
