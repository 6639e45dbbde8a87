// The trainer's loop - batches, strategy, clock readings, signs of life, with and without spans - against a
// bare libtorch loop of the same network, in blocks that take turns. An iteration is the time from one
// forward pass to the next, so that nothing between iterations is left out.
#include <filesystem>

#include "bare_training.h"
#include "comparisons.h"
#include "engine_threads.h"
#include "pairs.h"
#include "sextant/engine/executor.h"
#include "sextant/measure/clock.h"
#include "sextant/nets/network.h"
#include "trainer.h"

namespace sextant::bench {
namespace {

constexpr std::size_t kWarmup = 3;

// Median distance of instants, s, without the first ones.
double median_period(const std::vector<std::int64_t>& instants) {
  std::vector<double> periods;
  for (std::size_t i = kWarmup; i + 1 < instants.size(); ++i)
    periods.push_back(static_cast<double>(instants[i + 1] - instants[i]) * 1e-9);
  return stats::median(periods);
}

// Notes when each forward pass begins.
class WatchedReplica final : public measure::Replica {
 public:
  WatchedReplica(std::unique_ptr<measure::Replica> replica, std::vector<std::int64_t>& instants)
      : replica_(std::move(replica)), instants_(instants) {}
  [[nodiscard]] const std::vector<measure::TensorPart>& tensors() const override {
    return replica_->tensors();
  }
  std::span<float> parameters() override { return replica_->parameters(); }
  std::span<float> gradients() override { return replica_->gradients(); }
  std::span<float> statistics() override { return replica_->statistics(); }
  double forward(const input::Batch& batch) override {
    instants_.push_back(measure::monotonic_ns());
    return replica_->forward(batch);
  }
  void backward(const std::function<void(std::size_t)>& ready) override { replica_->backward(ready); }
  void backward_apart() override { replica_->backward_apart(); }
  std::span<const float> apart(std::size_t tensor) override { return replica_->apart(tensor); }
  measure::TestScore evaluate(const input::Batch& batch) override { return replica_->evaluate(batch); }
  std::vector<float> outputs(const input::Batch& batch) override { return replica_->outputs(batch); }

 private:
  std::unique_ptr<measure::Replica> replica_;
  std::vector<std::int64_t>& instants_;
};

struct Subject {
  std::string net;
  std::int64_t batch = 1;
  std::optional<std::int64_t> image = {};
  std::int64_t block = 20;  // iterations
  int pairs = 15;
};

class TrainingComparison {
 public:
  explicit TrainingComparison(Subject subject)
      : subject_(std::move(subject)),
        folder_(std::filesystem::temp_directory_path() /
                ("engine_bench." + std::to_string(measure::monotonic_ns()))),
        bare_(make_bare_training(subject_.net, subject_.batch)) {
    std::filesystem::create_directories(folder_.path());
    trial_.job.net = subject_.net;
    trial_.job.sizes = {.batch = subject_.batch, .image = subject_.image};
    trial_.iterations = subject_.block;
    trial_.warmup = kWarmup;
    graph_ = build(nets::find_network(trial_.job.net), trial_.job.sizes);
  }
  ~TrainingComparison() { std::filesystem::remove_all(folder_.path()); }
  TrainingComparison(const TrainingComparison&) = delete;
  TrainingComparison& operator=(const TrainingComparison&) = delete;

  void run() {
    TimedPairs plain;
    TimedPairs recorded;
    for (int i = 0; i < subject_.pairs; ++i) {
      const double before = bare();
      plain.subject.push_back(measured(nullptr));
      measure::SpanRecorder spans({.trace = {1, 1}, .span = 1}, 0, 1);
      recorded.subject.push_back(measured(&spans));
      // Between two bare blocks, so that a machine that gets slower is slower for the baseline too.
      const double baseline = (before + bare()) / 2;
      plain.baseline.push_back(baseline);
      recorded.baseline.push_back(baseline);
    }
    print_pairs(subject_.net + ", measured against bare libtorch", plain);
    print_pairs(subject_.net + ", measured with spans", recorded);
  }

 private:
  double bare() {
    std::vector<std::int64_t> instants;
    for (std::int64_t i = 0; i < subject_.block + static_cast<std::int64_t>(kWarmup); ++i) {
      instants.push_back(measure::monotonic_ns());
      bare_->step();
    }
    return median_period(instants);
  }

  double measured(measure::SpanRecorder* spans) {
    std::vector<std::int64_t> instants;
    measure::LifeSign life(folder_, 0);
    measure::WorkerReport report;
    engine::train({.trial = trial_,
                   .graph = graph_,
                   .folder = folder_,
                   .rank = 0,
                   .make_replica =
                       [&](std::int64_t) {
                         return std::make_unique<WatchedReplica>(engine::make_replica(graph_, {}), instants);
                       },
                   .spans = spans,
                   .life = life},
                  report);
    return median_period(instants);
  }

  Subject subject_;
  measure::RunFolder folder_;
  std::unique_ptr<BareTraining> bare_;
  measure::Trial trial_;
  nets::Graph graph_;
};

}  // namespace

void compare_training(std::string_view net) {
  engine::prepare_process(1);
  engine::use_threads(1);
  const std::vector<Subject> subjects = {
      {.net = "lenet5", .batch = 64, .block = 60, .pairs = 21},
      {.net = "resnet18", .batch = 16, .image = 32, .block = 12, .pairs = 11}};
  for (const Subject& subject : subjects)
    if (net.empty() || net == subject.net) TrainingComparison(subject).run();
}

}  // namespace sextant::bench
