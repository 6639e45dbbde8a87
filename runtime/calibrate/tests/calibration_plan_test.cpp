#include "calibration_plan.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "sextant/measure/drawn_network.h"
#include "sextant/nets/single_values.h"
#include "sextant/predict/calibrated_device.h"

namespace sextant::calibrate {
namespace {

constexpr int kCandidates = 80;
constexpr int kFewest = 6;           // calls for which a fit makes a regression of its own
constexpr double kAffordable = 0.5;  // s of modest work: 0.34 s of the usual budget, on a core of today

using KindAndDirection = std::pair<std::string, predict::Direction>;

// What a calibration of the usual length times.
struct Timed {
  std::map<std::size_t, int> operators;  // by place in nets::Op
  std::map<KindAndDirection, int> kinds;
};

const Timed& usual_calibration() {
  static const Timed timed = [] {
    Timed t;
    CalibrationPlan plan(0);
    for (int i = 0; i < kCandidates; ++i) {
      const CalibrationCandidate c = plan.next();
      if (c.work_s > kAffordable) continue;
      for (const nets::Node& node : c.graph.nodes) ++t.operators[node.op.index()];
      for (const auto& call : predict::operator_calls(c.graph, cost(c.graph), jobs::Mode::train)) {
        ++t.kinds[{call.kind, call.direction}];
      }
    }
    return t;
  }();
  return timed;
}

int count_of(const KindAndDirection& kind) {
  const auto it = usual_calibration().kinds.find(kind);
  return it == usual_calibration().kinds.end() ? 0 : it->second;
}

TEST(CalibrationPlan, IsTheSameForTheSameSeed) {
  CalibrationPlan a(7);
  CalibrationPlan b(7);
  CalibrationPlan other(8);
  bool differs = false;
  for (int i = 0; i < 20; ++i) {
    const CalibrationCandidate x = a.next();
    const CalibrationCandidate y = b.next();
    EXPECT_EQ(x.net, y.net);
    EXPECT_EQ(x.sizes.batch, y.sizes.batch);
    EXPECT_EQ(x.work_s, y.work_s);
    EXPECT_TRUE(x.work_s > 0 && std::isfinite(x.work_s));
    differs |= x.net != other.next().net;
  }
  EXPECT_TRUE(differs);
}

TEST(CalibrationPlan, RunsNoNetworkThatPeopleKnow) {
  CalibrationPlan plan(0);
  for (int i = 0; i < 50; ++i) {
    const std::string net = plan.next().net;
    EXPECT_TRUE(net.starts_with("random/") || net.starts_with("drawn/")) << net;
  }
}

TEST(CalibrationPlan, EverySecondIsADrawnNetworkOfTheFamiliesInTurn) {
  CalibrationPlan plan(0);
  std::set<std::string> drawn;
  for (std::uint64_t i = 0; i < 2 * measure::kDrawnFamilies; ++i) {
    const std::string net = plan.next().net;
    if (net.starts_with("drawn/")) drawn.insert(net);
  }
  EXPECT_EQ(drawn.size(), measure::kDrawnFamilies);
  for (std::uint64_t i = 0; i < measure::kDrawnFamilies; ++i)
    EXPECT_TRUE(drawn.contains("drawn/" + std::to_string(i)));
}

// Whoever adds an operator to nets::Op lets a drawn network have it, or nothing is known of its time.
template <std::size_t... places>
void expect_all_operators(std::index_sequence<places...> /*all*/) {
  const auto expect = [](std::size_t place, const nets::Op& op) {
    if (nets::is_given(op) || std::holds_alternative<nets::Opaque>(op)) return;
    const auto it = usual_calibration().operators.find(place);
    const int count = it == usual_calibration().operators.end() ? 0 : it->second;
    EXPECT_GE(count, kFewest) << nets::type_name(op);
  };
  (expect(places, std::variant_alternative_t<places, nets::Op>{}), ...);
}

TEST(CalibrationPlan, TimesEveryOperatorThatCanBeTrained) {
  expect_all_operators(std::make_index_sequence<std::variant_size_v<nets::Op>>{});
}

// Every value of the enumerations that operators have; behind the last, type_name() has a common word.
TEST(CalibrationPlan, TimesEveryVariantOfAnOperator) {
  const auto expect = [](auto make, const std::string& common) {
    for (int i = 0;; ++i) {
      const nets::Op op = make(i);
      const std::string kind = nets::type_name(op);
      if (kind == common) return;
      EXPECT_GE(count_of({kind, predict::Direction::forward}), kFewest) << kind;
      if (!nets::passes_gradient(op)) continue;
      EXPECT_GE(count_of({kind, predict::Direction::backward}), kFewest) << kind;
    }
  };
  expect([](int i) { return nets::Activation{static_cast<nets::Function>(i)}; }, "activation");
  expect([](int i) { return nets::Binary{static_cast<nets::Arithmetic>(i)}; }, "binary");
  expect([](int i) { return nets::Reduce{.kind = static_cast<nets::Reduction>(i)}; }, "reduce");
  expect([](int i) { return nets::Recurrent{.cell = static_cast<nets::Cell>(i)}; }, "recurrent");
}

TEST(CalibrationPlan, TimesEveryKindThatTheZooHas) {
  std::map<KindAndDirection, std::string> seen;
  for (const nets::Network& network : nets::zoo().all()) {
    const nets::Graph graph = build(network, {.batch = 2});
    for (const auto& call : predict::operator_calls(graph, cost(graph), jobs::Mode::train)) {
      seen[{call.kind, call.direction}] = network.id;
    }
  }
  for (const auto& [kind, net] : seen) {
    EXPECT_GE(count_of(kind), kFewest) << kind.first << " of " << net;
  }
}

// A calibration of a fast machine gets as far as its hundredth network, and a batch of one image may leave a
// batch norm a single value.
TEST(CalibrationPlan, EveryNetworkCanBeTrained) {
  for (const std::uint64_t seed : {0U, 1U, 2U}) {
    CalibrationPlan plan(seed);
    for (int i = 0; i < 400; ++i) {
      const CalibrationCandidate candidate = plan.next();
      EXPECT_EQ(nets::single_value_norm(candidate.graph), nullptr) << candidate.net << ", seed " << seed;
    }
  }
}

TEST(CalibrationPlan, MostDrawnNetworksAreAffordable) {
  int affordable = 0;
  for (std::uint64_t i = 0; i < 64; ++i) {
    const nets::Graph graph = build(measure::drawn_network(i), {.batch = std::int64_t{1} << (i / 8 % 5)});
    affordable += modest_work(graph, cost(graph)) <= kAffordable ? 1 : 0;
  }
  EXPECT_GE(affordable, 54);
}

// 5 us for a call, 100 GFLOP/s, 10 GB/s; a step is the sum.
predict::TimedNetwork timed_by_rule(const CalibrationCandidate& candidate) {
  predict::TimedNetwork t{.name = candidate.net, .graph = candidate.graph};
  t.forward_s.assign(t.graph.nodes.size(), 0);
  t.backward_s = t.forward_s;
  predict::TimedStep step{.optimizer_s = 1e-3};
  for (const auto& call : predict::operator_calls(t.graph, cost(t.graph), jobs::Mode::train)) {
    const bool forward = call.direction == predict::Direction::forward;
    const double seconds = 5e-6 + call.flop / 1e11 + call.bytes / 1e10;
    (forward ? t.forward_s : t.backward_s)[call.node] = seconds;
    (forward ? step.forward_s : step.backward_s) += seconds;
  }
  step.total_s = step.forward_s + step.backward_s + step.optimizer_s;
  t.step = step;
  return t;
}

struct AnsweredBert {
  predict::DeviceStep step;
  double half_width = 0;  // of the answer, in logarithms
  double device_half_width = 0;
  bool extrapolating = false;

  [[nodiscard]] double timed_half_width() const { return device_half_width * (extrapolating ? 1.5 : 1); }
};

// From as many networks of the plan whose names begin so.
AnsweredBert bert_from(const std::string& prefix, std::size_t count) {
  std::vector<predict::TimedNetwork> networks;
  CalibrationPlan plan(0);
  while (networks.size() < count) {
    const CalibrationCandidate candidate = plan.next();
    if (candidate.net.starts_with(prefix)) networks.push_back(timed_by_rule(candidate));
  }
  NoProgress none;
  const predict::CalibratedDevice device = fit_calibrated_device(networks, none);
  jobs::Job job;
  job.net = "bert-base";
  const nets::Graph graph = build(nets::zoo().get(job.net), {.batch = 1, .seq = 64});
  const nets::GraphCost counted = cost(graph);
  const predict::Prediction p = predict_calibrated(device, {job, graph, counted, {}});
  return {.step = device_step(device, graph, counted, job),
          .half_width = std::log(p.interval.high->value / p.iteration.value),
          .device_half_width = device.half_width,
          .extrapolating = p.extrapolating};
}

TEST(CalibrationPlan, KindsThatWereTimedWidenNothing) {
  const AnsweredBert all = bert_from("", 45);
  EXPECT_TRUE(all.step.untimed.empty()) << all.step.untimed.front();
  EXPECT_NEAR(all.half_width, all.timed_half_width(), 1e-9);
}

TEST(CalibrationPlan, KindsThatWereNotTimedStillWiden) {
  const AnsweredBert images = bert_from("random/", 15);
  EXPECT_GT(images.step.untimed_share, 0);
  EXPECT_NEAR(images.half_width, images.timed_half_width() + 1.1 * images.step.untimed_share, 1e-9);
}

}  // namespace
}  // namespace sextant::calibrate
