// What training costs besides computing: the optimizer's update against copying as many bytes, and an
// iteration of strategy `single`, with its clock and its signs of life, against the bare calls. The aims:
// about 1, and below 1.01.
#include <cstring>
#include <vector>

#include "ratio.h"
#include "sextant/measure/training_strategy.h"

namespace sextant::bench {
namespace {

constexpr std::size_t kValues = 11'689'512;  // ResNet-18

// Values read and written per parameter: p and g, one moment more, two more.
std::size_t values_touched(jobs::Optimizer optimizer) {
  return 3 + 2 * static_cast<std::size_t>(optimizer_state_values(optimizer));
}

void update_against_copy(benchmark::State& state) {
  const auto kind = static_cast<jobs::Optimizer>(state.range(0));
  std::vector<float> parameters(kValues, 1.0F);
  const std::vector<float> gradients(kValues, 0.01F);
  measure::FlatOptimizer optimizer({.kind = kind, .threads = 1}, kValues);
  const std::size_t copied = kValues * values_touched(kind) / 2;  // a copy reads and writes
  const std::vector<float> source(copied, 1.0F);
  std::vector<float> target(copied);
  report_ratio(
      state,
      [&] {
        optimizer.step(parameters, gradients);
        return parameters[0];
      },
      [&] {
        std::memcpy(target.data(), source.data(), copied * sizeof(float));
        return target[0];
      });
  state.SetLabel(to_string(kind));
}
BENCHMARK(update_against_copy)->Arg(1)->Arg(2)->Arg(3)->UseManualTime()->Unit(benchmark::kMillisecond);

// About as much work as LeNet-5 with a small batch: half a millisecond each way.
class Arithmetic final : public measure::Replica {
 public:
  [[nodiscard]] const std::vector<measure::TensorPart>& tensors() const override { return parts_; }
  std::span<float> parameters() override { return values_; }
  std::span<float> gradients() override { return gradients_; }
  std::span<float> statistics() override { return {}; }
  double forward(const input::Batch&) override { return churn(); }
  void backward(const std::function<void(std::size_t)>& ready) override {
    gradients_[0] = static_cast<float>(churn());
    ready(0);
  }
  measure::TestScore evaluate(const input::Batch&) override { return {}; }
  std::vector<float> outputs(const input::Batch&) override { return {}; }

 private:
  double churn() {
    double sum = values_[0];
    for (int i = 1; i < 150'000; ++i) sum += 1 / (static_cast<double>(i) * i + sum);
    return sum;
  }
  std::vector<measure::TensorPart> parts_ = {{"all", 0, 60'000}};
  std::vector<float> values_ = std::vector<float>(60'000, 1.0F);
  std::vector<float> gradients_ = std::vector<float>(60'000);
};

void measured_iteration_against_bare(benchmark::State& state) {
  const measure::Trial trial;
  std::int64_t beats = 0;
  const auto strategy = measure::training_strategies().get("single").make(
      {.trial = trial,
       .make_replica = [](std::int64_t) { return std::make_unique<Arithmetic>(); },
       .beat = [&beats] { ++beats; }});
  Arithmetic bare;
  measure::FlatOptimizer optimizer({.kind = trial.job.optimizer, .learning_rate = trial.learning_rate},
                                   60'000);
  const input::Batch batch;
  constexpr int kIterations = 50;
  report_ratio(
      state,
      [&] {
        double sum = 0;
        for (int i = 0; i < kIterations; ++i) sum += strategy->step(i, batch).loss;
        return sum;
      },
      [&] {
        double sum = 0;
        for (int i = 0; i < kIterations; ++i) {
          sum += bare.forward(batch);
          bare.backward([](std::size_t) {});
          optimizer.step(bare.parameters(), bare.gradients());
        }
        return sum;
      });
}
BENCHMARK(measured_iteration_against_bare)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sextant::bench
