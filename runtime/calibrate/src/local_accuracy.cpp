#include "sextant/calibrate/local_accuracy.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sextant/core/error.h"
#include "sextant/measure/clock.h"
#include "sextant/stats/robust.h"
#include "timed_networks.h"

namespace sextant::calibrate {
namespace {

constexpr std::size_t kMostRounds = 3;

AccuracyRow compared(const predict::CalibratedDevice& device, const catalog::Gpu& gpu, const jobs::Job& job,
                     double measured_s) {
  const nets::Graph graph = build(nets::find_network(job.net), job.sizes);
  const nets::GraphCost counted = cost(graph);
  const predict::Prediction p = predict_calibrated(device, {job, graph, counted, gpu});
  return {.job = job,
          .measured_s = measured_s,
          .predicted_s = p.iteration.value,
          .inside = p.interval.low.value <= measured_s &&
                    (!p.interval.high || measured_s <= p.interval.high->value),
          .extrapolating = p.extrapolating};
}

class Rounds {
 public:
  Rounds(const AccuracyOptions& options, Progress& progress)
      : options_(options),
        progress_(progress),
        start_(measure::monotonic_ns()),
        times_(options.cases.size()) {
    supervise_.worker = options.worker;
    supervise_.interrupted = options.interrupted;
  }

  // Each case in turn, so that a machine that gets slower is slower for all.
  std::vector<std::vector<double>> run() {
    for (std::size_t round = 0; round < kMostRounds; ++round) {
      for (std::size_t i = 0; i < options_.cases.size(); ++i) {
        const bool over = elapsed() > options_.budget_s && round > 0;
        if (over || options_.interrupted()) return std::move(times_);
        progress_.step(static_cast<std::int64_t>(round * options_.cases.size() + i),
                       static_cast<std::int64_t>(kMostRounds * options_.cases.size()), options_.cases[i].net);
        time(i);
      }
    }
    return std::move(times_);
  }

 private:
  [[nodiscard]] double elapsed() const {
    return static_cast<double>(measure::monotonic_ns() - start_) * 1e-9;
  }

  void time(std::size_t i) {
    try {
      const predict::TimedStep step = time_step({.job = options_.cases[i],
                                                 .threads = options_.threads,
                                                 .warmup = 2,
                                                 .repetitions = 5,
                                                 .seed = options_.seed},
                                                supervise_);
      times_[i].push_back(step.total_s);
    } catch (const SystemError&) {  // the row is left out, which the caller sees
    }
  }

  const AccuracyOptions& options_;
  Progress& progress_;
  std::int64_t start_;
  measure::SuperviseOptions supervise_;
  std::vector<std::vector<double>> times_;
};

}  // namespace

std::vector<jobs::Job> usual_accuracy_cases() {
  std::vector<jobs::Job> cases;
  const auto add = [&](const char* net, std::optional<std::int64_t> image,
                       std::initializer_list<std::int64_t> batches) {
    for (const std::int64_t batch : batches) {
      cases.push_back({.net = net,
                       .sizes = {.batch = batch, .image = image},
                       .optimizer = jobs::Optimizer::momentum,
                       .layout = {}});
    }
  };
  for (const char* net : {"alexnet", "squeezenet1-1", "mobilenet-v2", "shufflenet-v2-x1-0", "mnasnet1-0",
                          "googlenet", "resnet18", "lenet5"}) {
    add(net, {}, {1, 4, 16});
  }
  for (const char* net : {"resnet50", "densenet121", "inception-v3"}) add(net, {}, {1, 4});
  add("vgg11", {}, {1});
  add("vgg11", 64, {4, 16});
  add("resnet34", 112, {1, 4, 16});
  add("resnet50", 96, {16});
  add("densenet121", 96, {16});
  return cases;
}

std::vector<AccuracyRow> local_accuracy(const predict::CalibratedDevice& device, const catalog::Gpu& gpu,
                                        const AccuracyOptions& options, Progress& progress) {
  const std::vector<std::vector<double>> times = Rounds(options, progress).run();
  std::vector<AccuracyRow> rows;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!times[i].empty()) rows.push_back(compared(device, gpu, options.cases[i], stats::median(times[i])));
  }
  return rows;
}

ErrorMeans error_means(const std::vector<AccuracyRow>& rows) {
  ErrorMeans means;
  if (rows.empty()) return means;
  std::map<std::string, std::pair<double, double>> by_net;  // sum and count
  for (const AccuracyRow& row : rows) {
    means.rows += std::abs(row.error());
    means.inside += row.inside ? 1 : 0;
    by_net[row.job.net].first += std::abs(row.error());
    by_net[row.job.net].second += 1;
  }
  for (const auto& [net, sum] : by_net) means.networks += sum.first / sum.second;
  means.rows /= static_cast<double>(rows.size());
  means.inside /= static_cast<double>(rows.size());
  means.networks /= static_cast<double>(by_net.size());
  return means;
}

}  // namespace sextant::calibrate
