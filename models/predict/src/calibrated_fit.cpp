// Fitting a calibrated device: regressions of operators, lines of whole steps, and how far networks that were
// left out are off.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "sextant/predict/calibrated_device.h"
#include "sextant/stats/linear_model.h"
#include "sextant/stats/quantiles.h"

namespace sextant::predict {
namespace {

constexpr std::size_t kFolds = 5;
constexpr std::size_t kFewestCalls = 6;  // of a kind, for a regression of its own
constexpr double kLeastHalfWidth = 0.05;
// Pull of a part's scale towards 1, as if so many networks had shown it.
constexpr double kPriorNetworks = 2;

using Kind = std::pair<std::string, Direction>;
using CallsByKind = std::map<Kind, std::vector<TimedCall>>;

// What the fit asks of a network, worked out once.
struct Prepared {
  const TimedNetwork* network = nullptr;
  nets::GraphCost cost;
  std::vector<TimedCall> calls = {};
  double forward = 0;  // sums of timed operators
  double backward = 0;
  double forward_calls = 0;
  double backward_calls = 0;
};

Prepared prepare(const TimedNetwork& network, std::size_t number) {
  Prepared p{.network = &network, .cost = cost(network.graph)};
  if (network.forward_s.empty()) return p;
  if (network.forward_s.size() != network.graph.nodes.size() ||
      network.backward_s.size() != network.graph.nodes.size()) {
    throw InputError({}, "network '" + network.name + "' has times for " +
                             std::to_string(network.forward_s.size()) + " of " +
                             std::to_string(network.graph.nodes.size()) + " operators");
  }
  for (OperatorCall& call : operator_calls(network.graph, p.cost, jobs::Mode::train)) {
    const bool forward = call.direction == Direction::forward;
    const double seconds = (forward ? network.forward_s : network.backward_s)[call.node];
    (forward ? p.forward : p.backward) += seconds;
    (forward ? p.forward_calls : p.backward_calls) += 1;
    p.calls.push_back({std::move(call), seconds, number});
  }
  return p;
}

// A line through part = scale * sum + calls + parameters + fixed, none negative, by relative errors.
struct PartRow {
  double seconds = 0;
  double sum = 0;
  double calls = 0;
  double parameters = 0;
};

PartLine fit_part(std::span<const PartRow> rows) {
  constexpr double kCall = 1e-6;
  constexpr double kParameter = 1e-10;
  constexpr double kFixed = 1e-4;
  PartLine line;
  if (rows.empty()) return line;
  stats::Design design{.x = stats::Matrix(rows.size() + 1, 4), .y = {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double scale = 1 / rows[i].seconds;
    design.x(i, 0) = rows[i].sum * scale;
    design.x(i, 1) = rows[i].calls * kCall * scale;
    design.x(i, 2) = rows[i].parameters * kParameter * scale;
    design.x(i, 3) = kFixed * scale;
    design.y.push_back(1);
    design.weights.push_back(1);
  }
  design.x(rows.size(), 0) = 1;
  design.y.push_back(1);
  design.weights.push_back(kPriorNetworks);
  for (int pass = 0; pass < 8; ++pass) {
    const stats::NnlsFit fit = fit_nnls(design);
    line = {fit.coefficients[0], fit.coefficients[1] * kCall, fit.coefficients[2] * kParameter,
            fit.coefficients[3] * kFixed};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double off = fit.residuals[i] / 0.1;
      design.weights[i] = 1 / (1 + off * off);
    }
  }
  return line;
}

// What is left of steps, over the values of the inputs, by errors relative to the whole step.
struct RestRow {
  double seconds = 0;
  double values = 0;
  double step_s = 0;
};

RestLine fit_rest(std::span<const RestRow> rows) {
  constexpr double kValue = 1e-10;
  constexpr double kFixed = 1e-4;
  RestLine line;
  if (rows.empty()) return line;
  stats::Design design{.x = stats::Matrix(rows.size(), 2), .y = {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    design.x(i, 0) = rows[i].values * kValue / rows[i].step_s;
    design.x(i, 1) = kFixed / rows[i].step_s;
    design.y.push_back(rows[i].seconds / rows[i].step_s);
    design.weights.push_back(1);
  }
  for (int pass = 0; pass < 8; ++pass) {
    const stats::NnlsFit fit = fit_nnls(design);
    line = {fit.coefficients[0] * kValue, fit.coefficients[1] * kFixed};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double off = fit.residuals[i] / 0.02;
      design.weights[i] = 1 / (1 + off * off);
    }
  }
  return line;
}

CallsByKind by_kind(std::span<const Prepared* const> networks) {
  CallsByKind calls;
  for (const Prepared* p : networks) {
    for (const TimedCall& t : p->calls) calls[{t.call.kind, t.call.direction}].push_back(t);
  }
  std::erase_if(calls, [](const auto& entry) { return entry.second.size() < kFewestCalls; });
  return calls;
}

std::vector<TimedCall> updates_of(std::span<const Prepared* const> networks) {
  std::vector<TimedCall> updates;
  for (const Prepared* p : networks) {
    if (!p->network->step) continue;
    updates.push_back({update_call(p->cost, p->network->optimizer), p->network->step->optimizer_s});
  }
  return updates;
}

void fit_parts(CalibratedDevice& device, std::span<const Prepared* const> networks) {
  std::vector<PartRow> forward;
  std::vector<PartRow> backward;
  std::vector<RestRow> rest;
  for (const Prepared* p : networks) {
    if (!p->network->step || p->calls.empty()) continue;
    const TimedStep& step = *p->network->step;
    forward.push_back({step.forward_s, p->forward, p->forward_calls, 0});
    backward.push_back(
        {step.backward_s, p->backward, p->backward_calls, static_cast<double>(p->cost.total.parameters)});
    rest.push_back({std::max(0.0, step.total_s - step.forward_s - step.backward_s - step.optimizer_s),
                    input_values(p->network->graph), step.total_s});
  }
  device.forward = fit_part(forward);
  device.backward = fit_part(backward);
  device.rest = fit_rest(rest);
}

// One cost for kinds that were not timed: calls that are mostly overhead are many and say nothing of rates.
CallCost fit_other(std::vector<TimedCall> calls) {
  constexpr double kLong = 1e-4;  // s
  constexpr std::size_t kEnough = 20;
  for (TimedCall& t : calls) t.call.coordinates.clear();
  std::vector<TimedCall> slow;
  std::ranges::copy_if(calls, std::back_inserter(slow),
                       [](const TimedCall& t) { return t.seconds >= kLong; });
  return fit_call_cost(slow.size() < kEnough ? calls : slow);
}

// Of calls so long that the clock says nothing else.
double fastest_rate(std::span<const TimedCall> calls) {
  constexpr double kLong = 5e-4;  // s
  double fastest = 0;
  for (const TimedCall& t : calls) {
    if (t.seconds >= kLong) fastest = std::max(fastest, t.call.flop / t.seconds);
  }
  return fastest;
}

using SmoothnessByKind = std::map<Kind, Smoothness>;

CalibratedDevice fit_on(std::span<const Prepared* const> networks, const SmoothnessByKind& smoothness) {
  CalibratedDevice device;
  const CallsByKind calls = by_kind(networks);
  std::vector<TimedCall> all;
  for (const auto& [kind, timed] : calls) {
    device.operators[kind] = fit_operator_regression(timed, smoothness.at(kind));
    all.insert(all.end(), timed.begin(), timed.end());
  }
  device.fastest = fastest_rate(all);
  device.other = fit_other(std::move(all));
  device.update = fit_operator_regression(updates_of(networks), {.signal = 0.35, .noise = 0.1});
  fit_parts(device, networks);
  return device;
}

// Logarithms of predicted over measured step, of networks that the fit did not see.
std::vector<double> left_out_errors(std::span<const Prepared> networks, const SmoothnessByKind& smoothness,
                                    Progress& progress) {
  std::vector<double> errors;
  for (std::size_t fold = 0; fold < kFolds; ++fold) {
    std::vector<const Prepared*> kept;
    std::vector<const Prepared*> asked;
    for (std::size_t i = 0; i < networks.size(); ++i) {
      (i % kFolds == fold ? asked : kept).push_back(&networks[i]);
    }
    if (by_kind(kept).empty() || updates_of(kept).empty()) continue;
    const CalibratedDevice device = fit_on(kept, smoothness);
    for (const Prepared* p : asked) {
      if (!p->network->step) continue;
      jobs::Job job;
      job.optimizer = p->network->optimizer;
      const double modelled = device_step(device, p->network->graph, p->cost, job).total_s();
      errors.push_back(std::log(modelled / p->network->step->total_s));
    }
    progress.step(static_cast<std::int64_t>(fold + 1), kFolds, "networks left out");
  }
  return errors;
}

void set_errors(CalibratedDevice& device, const std::vector<double>& logs) {
  if (logs.empty()) return;
  std::vector<double> sizes;
  double sum = 0;
  for (const double e : logs) {
    sizes.push_back(std::abs(e));
    sum += std::abs(std::expm1(e));
  }
  device.half_width = std::max(kLeastHalfWidth, stats::sample_quantile(sizes, 0.9));
  device.mean_error = sum / static_cast<double>(logs.size());
}

}  // namespace

CalibratedDevice fit_calibrated_device(std::span<const TimedNetwork> networks, Progress& progress) {
  std::vector<Prepared> prepared;
  for (const TimedNetwork& network : networks) prepared.push_back(prepare(network, prepared.size()));
  std::vector<const Prepared*> all;
  for (const Prepared& p : prepared) all.push_back(&p);
  const CallsByKind calls = by_kind(all);
  if (calls.empty() || updates_of(all).empty()) {
    throw InputError({}, "too little was timed for a calibration",
                     "a larger budget times operators and steps of more networks");
  }
  SmoothnessByKind smoothness;
  for (const auto& [kind, timed] : calls) smoothness[kind] = fit_smoothness(timed);
  CalibratedDevice device = fit_on(all, smoothness);
  set_errors(device, left_out_errors(prepared, smoothness, progress));
  device.networks = networks.size();
  for (const TimedNetwork& network : networks) {
    device.most_samples = std::max(device.most_samples, static_cast<double>(network.graph.batch()));
  }
  return device;
}

}  // namespace sextant::predict
