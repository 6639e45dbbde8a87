// A job on so many machines of a type. Machines that differ only in price, host or cloud give the same
// answer, which is computed once.
#pragma once

#include <map>
#include <memory>
#include <tuple>

#include "sextant/parallel/cluster_predictor.h"
#include "sextant/parallel/network_workload.h"
#include "sextant/plan/offers.h"

namespace sextant::plan {

struct ClusterEvaluation {
  jobs::Job job;  // with its layout and batch
  predict::Prediction prediction;
  std::int64_t global_batch = 0;  // samples of a step
  std::optional<parallel::Limit> refused = {};
  std::string reason = {};  // of the refusal
  double excess = 0;        // of memory
  bool above_most = false;  // refused for a batch above Training::most_batch
};

class ClusterEvaluator {
 public:
  ClusterEvaluator(const Training& training, const Market& market);

  // The market's link joins machines of which the catalogue does not say what joins them.
  [[nodiscard]] clusters::Pool pool_of(const catalog::Machine& machine, std::int64_t count) const;
  const ClusterEvaluation& evaluate(const catalog::Machine& machine, std::int64_t count);
  std::vector<StrategyVerdict> compare(const catalog::Machine& machine, std::int64_t count);

 private:
  // GPU, GPUs of a machine, machines, link, network, its bandwidth.
  using Shape = std::tuple<std::string, double, std::int64_t, std::string, std::string, double>;

  // The job on these machines; a refusal where that is impossible whatever the strategy.
  [[nodiscard]] ClusterEvaluation place(const catalog::Machine& machine, std::int64_t count) const;
  [[nodiscard]] parallel::ParallelQuery query_of(const jobs::Job& job, const catalog::Gpu& gpu);
  void check_batch(ClusterEvaluation& e) const;
  [[nodiscard]] ClusterEvaluation placed(ClusterEvaluation e, const catalog::Gpu& gpu) const;
  [[nodiscard]] ClusterEvaluation compute(const catalog::Machine& machine, std::int64_t count);
  [[nodiscard]] parallel::Candidate choose(const parallel::ParallelQuery& query) const;
  const parallel::ProfiledStep& profile(const catalog::Gpu& gpu, std::int64_t batch);

  const Training& training_;
  const Market& market_;
  std::map<Shape, ClusterEvaluation> known_;
  std::map<std::pair<std::string, std::int64_t>, std::unique_ptr<parallel::ProfiledStep>> profiles_;
  parallel::GraphMemo graphs_;
};

}  // namespace sextant::plan
