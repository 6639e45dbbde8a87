#include "trainer.h"

#include <algorithm>

#include "sextant/core/plugin_text.h"
#include "sextant/measure/clock.h"
#include "training_data.h"

namespace sextant::engine {
namespace {

double seconds_between(std::int64_t start, std::int64_t end) {
  return static_cast<double>(end - start) * 1e-9;
}

measure::WireBytes difference(const measure::WireBytes& after, const measure::WireBytes& before) {
  measure::WireBytes bytes{.payload = after.payload - before.payload,
                           .theoretical = after.theoretical - before.theoretical};
  if (after.kernel && before.kernel) bytes.kernel = *after.kernel - *before.kernel;
  return bytes;
}

class Trainer {
 public:
  Trainer(const TrainerSetup& setup, measure::WorkerReport& report)
      : setup_(setup),
        trial_(setup.trial),
        report_(report),
        text_(split_plugin_text(trial_.strategy)),
        info_(measure::training_strategies().get(text_.id)) {}

  void run() {
    const measure::StrategySetup strategy_setup{.trial = trial_,
                                                .parameters = parameters_of(info_, text_),
                                                .rank = setup_.rank,
                                                .make_replica = setup_.make_replica,
                                                .transport = setup_.transport,
                                                .spans = setup_.spans,
                                                .beat = [this] { setup_.life.beat(); },
                                                .samples = sample_kind()};
    strategy_ = info_.make(strategy_setup);
    if (setup_.rank >= trial_.workers) {
      strategy_->serve();
      if (setup_.transport != nullptr) report_.bytes = setup_.transport->bytes();
      return;
    }
    TrainingData data(trial_, setup_.graph, share());
    resume();
    strategy_->begin();
    iterate(data);
    strategy_->finish();
    if (setup_.rank == 0) evaluate(data);
  }

 private:
  [[nodiscard]] measure::SampleKind sample_kind() const {
    const auto request = sample_request(trial_, setup_.graph);
    return request ? measure::SampleKind{request->shape, request->classes} : measure::SampleKind{};
  }

  // Replicas of one process share its batch, which holds all their samples.
  [[nodiscard]] BatchShare share() const {
    if (info_.distributed) return {trial_.job.sizes.batch, setup_.rank, trial_.workers};
    return {trial_.job.sizes.batch * trial_.workers, 0, 1};
  }

  void resume() {
    if (!std::filesystem::exists(setup_.folder.checkpoint_file())) return;
    const measure::TrainingCheckpoint checkpoint = measure::read_checkpoint(setup_.folder.checkpoint_file());
    strategy_->restore(checkpoint);
    report_.first_iteration = checkpoint.iteration;
    setup_.life.finished(checkpoint.iteration);
  }

  void iterate(TrainingData& data) {
    const std::int64_t iterations = data.iterations();
    const std::int64_t measured_from = std::min(std::max(trial_.warmup, report_.first_iteration), iterations);
    report_.iterations.reserve(static_cast<std::size_t>(iterations));
    report_.losses.reserve(static_cast<std::size_t>(iterations));
    measure::WireBytes before;
    for (std::int64_t i = report_.first_iteration; i < iterations; ++i) {
      if (i == measured_from && setup_.transport != nullptr) before = setup_.transport->bytes();
      one(data, i);
      setup_.life.finished(i + 1);
      if (trial_.checkpoint_every > 0 && (i + 1) % trial_.checkpoint_every == 0) checkpoint(i + 1);
    }
    if (setup_.transport != nullptr) report_.bytes = difference(setup_.transport->bytes(), before);
  }

  void one(TrainingData& data, std::int64_t iteration) {
    const std::int64_t start = measure::monotonic_ns();
    const input::Batch& batch = data.next(iteration);
    const std::int64_t read = measure::monotonic_ns();
    measure::StepOutcome outcome = strategy_->step(iteration, batch);
    const std::int64_t end = measure::monotonic_ns();
    outcome.times.input_s += seconds_between(start, read);
    outcome.times.total_s = seconds_between(start, end);
    report_.iterations.push_back(outcome.times);
    report_.losses.push_back(outcome.loss);
    if (setup_.spans == nullptr) return;
    setup_.spans->add({.name = "input", .start = start, .end = read, .iteration = iteration});
    setup_.spans->add({.name = "iteration", .start = start, .end = end, .iteration = iteration});
  }

  void checkpoint(std::int64_t iteration) {
    if (setup_.rank != 0) return;
    const std::int64_t start = measure::monotonic_ns();
    measure::TrainingCheckpoint state = strategy_->save();
    state.iteration = iteration;
    write_checkpoint(setup_.folder.checkpoint_file(), state);
    setup_.life.beat();
    if (setup_.spans == nullptr) return;
    setup_.spans->add(
        {.name = "checkpoint", .start = start, .end = measure::monotonic_ns(), .iteration = iteration - 1});
  }

  // Whole batches of the test set. A trial of a few iterations wants no more tests than it had samples.
  void evaluate(const TrainingData& data) {
    const std::unique_ptr<input::SampleSet> set = data.open_test_set();
    const std::int64_t batch = trial_.job.sizes.batch;
    if (set == nullptr || set->size() < batch || report_.losses.empty()) return;
    const auto batches = make_batches(*set, {.batch = batch, .shuffle = false, .seed = trial_.seed});
    std::int64_t most = batches->batches_per_epoch();
    const auto trained = static_cast<std::int64_t>(report_.losses.size()) * trial_.workers;
    if (!trial_.epochs) most = std::min(most, trained);
    measure::TestScore sum;
    for (std::int64_t i = 0; i < most; ++i) {
      const measure::TestScore score = strategy_->replica().evaluate(batches->next(i));
      sum.samples += score.samples;
      sum.correct += score.correct;
      setup_.life.beat();
    }
    if (sum.samples > 0) {
      report_.accuracy = static_cast<double>(sum.correct) / static_cast<double>(sum.samples);
    }
  }

  const TrainerSetup& setup_;
  const measure::Trial& trial_;
  measure::WorkerReport& report_;
  PluginText text_;
  const measure::TrainingStrategyInfo& info_;
  std::unique_ptr<measure::TrainingStrategy> strategy_;
};

}  // namespace

void train(const TrainerSetup& setup, measure::WorkerReport& report) {
  Trainer(setup, report).run();
}

}  // namespace sextant::engine
