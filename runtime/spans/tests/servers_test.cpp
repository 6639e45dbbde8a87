// Parameter servers: pushes that a server answers, pulls that wait for all workers.
#include <gtest/gtest.h>

#include <algorithm>

#include "sextant/spans/analysis.h"

namespace sextant::spans {
namespace {

constexpr std::int64_t kMs = 1'000'000;

struct ServedRun {
  std::vector<std::int64_t> forward = {10, 10};  // ms, by worker
  std::int64_t update = 6;                       // ms
  std::int64_t slow_iteration = -1;
  std::int64_t slow_worker = -1;  // -1: the server
};

// Each worker computes, pushes for 1 ms, and pulls: the server updates when all pushes are there, and the
// answer takes 2 ms.
class ServedTrainer {
 public:
  explicit ServedTrainer(ServedRun run) : run_(std::move(run)) {}

  SpanSet train(std::int64_t iterations) {
    for (std::int64_t i = 0; i < iterations; ++i) iteration(i);
    sort_spans(set_);
    return set_;
  }

 private:
  Span& record(const std::string& name, std::int64_t process, std::int64_t start, std::int64_t end) {
    set_.spans.push_back(
        {.id = ++last_, .name = name, .process = process, .start_ns = start * kMs, .end_ns = end * kMs});
    return set_.spans.back();
  }

  void iteration(std::int64_t number) {
    const auto workers = static_cast<std::int64_t>(run_.forward.size());
    const std::int64_t start = now_;
    std::vector<std::int64_t> pushes;
    std::vector<SpanId> ids;
    for (std::int64_t w = 0; w < workers; ++w) {
      const bool slow = number == run_.slow_iteration && w == run_.slow_worker;
      const std::int64_t done = start + run_.forward[static_cast<std::size_t>(w)] + (slow ? 20 : 0);
      record("forward", w, start, done);
      Span& push = record("communication", w, done, done + 1);
      push.attributes = {{"iteration", number}, {"bucket", std::int64_t{0}}, {"peer", workers}};
      ids.push_back(push.id);
      pushes.push_back(done);
    }
    // A thread for each worker; that of the last to come does the work.
    const bool slow = number == run_.slow_iteration && run_.slow_worker < 0;
    const auto last = static_cast<std::size_t>(std::ranges::max_element(pushes) - pushes.begin());
    const std::int64_t updated = pushes[last] + 2 + run_.update + (slow ? 20 : 0);
    for (std::size_t w = 0; w < pushes.size(); ++w) {
      Span& update = record("update", workers, pushes[w] + 2, w == last ? updated : pushes[w] + 2);
      update.parent = ids[w];
      update.thread = static_cast<std::int64_t>(w);
      update.attributes = {{"iteration", number}};
    }
    for (std::int64_t w = 0; w < workers; ++w) {
      record("communication", w, pushes[static_cast<std::size_t>(w)] + 1, updated + 2).attributes = {
          {"iteration", number}, {"bucket", std::int64_t{1}}, {"peer", workers}};
      record("iteration", w, start, updated + 2).attributes = {{"iteration", number}};
    }
    now_ = updated + 2;
  }

  ServedRun run_;
  SpanSet set_;
  std::int64_t now_ = 0;
  SpanId last_ = 0;
};

TEST(Servers, ThePathGoesThroughTheServer) {
  const SpanAnalysis analysis =
      analyze_spans(ServedTrainer({}).train(10), {.what_if = {{.phase = "communication", .factor = 2},
                                                              {.phase = "optimizer", .factor = 3},
                                                              {.phase = "forward", .factor = 2}}});
  EXPECT_EQ(analysis.workers, 2);
  EXPECT_NEAR(analysis.iteration_s, 0.020, 1e-9);  // 10 + 2 + 6 + 2
  EXPECT_NEAR(analysis.retimed_s, 0.020, 1e-9);
  EXPECT_NEAR(analysis.what_if[0].iteration_s, 0.018, 1e-9);  // 10 + 1 + 6 + 1
  EXPECT_NEAR(analysis.what_if[1].iteration_s, 0.016, 1e-9);  // 10 + 2 + 2 + 2
  EXPECT_NEAR(analysis.what_if[2].iteration_s, 0.015, 1e-9);
  ASSERT_EQ(analysis.critical_path.size(), 4U);
  EXPECT_EQ(analysis.critical_path[2].process, 2);
  EXPECT_EQ(analysis.critical_path[2].name, "optimizer");
}

TEST(Servers, ALateWorkerIsTheStraggler) {
  const SpanAnalysis analysis = analyze_spans(ServedTrainer({.forward = {10, 14, 10, 10}}).train(10));
  ASSERT_EQ(analysis.stragglers.size(), 1U);
  EXPECT_EQ(analysis.stragglers[0].process, 1);
  EXPECT_EQ(analysis.stragglers[0].phase, "forward");
  EXPECT_NEAR(analysis.stragglers[0].late_s, 0.004, 1e-9);
}

TEST(Servers, OneIsNamedForASlowIteration) {
  const SpanAnalysis served = analyze_spans(ServedTrainer({.slow_iteration = 6}).train(12));
  ASSERT_EQ(served.slow.size(), 1U);
  EXPECT_EQ(served.slow[0].iteration, 6);
  EXPECT_EQ(served.slow[0].process, 2);
  EXPECT_EQ(served.slow[0].phase, "optimizer");
  // Who waits for a late worker is not to blame.
  const SpanAnalysis late = analyze_spans(ServedTrainer({.slow_iteration = 6, .slow_worker = 1}).train(12));
  ASSERT_EQ(late.slow.size(), 1U);
  EXPECT_EQ(late.slow[0].process, 1);
  EXPECT_EQ(late.slow[0].phase, "forward");
}

}  // namespace
}  // namespace sextant::spans
