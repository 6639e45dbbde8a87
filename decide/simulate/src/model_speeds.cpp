#include <cmath>
#include <optional>

#include "model_job.h"
#include "sextant/simulate/predicted_speeds.h"

namespace sextant::simulate {
namespace {

class ModelSpeeds final : public SpeedSource {
 public:
  ModelSpeeds(const PredictedSpeedSetup& setup, const clusters::Cluster& cluster)
      : setup_(setup), pools_(cluster.pools) {}

  [[nodiscard]] bool needs_model() const override { return false; }

  std::optional<Refusal> fill(const std::string& model, JobClass& into) const override {
    try {
      fill_known(job_of_model(model, setup_.job), into);
    } catch (const InputError&) {
      // Nobody asked for a prediction: a model that has none keeps the speeds of the pools.
    }
    return std::nullopt;
  }

  bool fill_pair(const std::string&, const std::string&, std::int32_t, PairOfClasses&) const override {
    return false;
  }

 private:
  void fill_known(const jobs::Job& job, JobClass& into) const {
    const nets::Graph graph = build(nets::find_network(job.net), job.sizes);
    const nets::GraphCost graph_cost = cost(graph, job.precision);
    const auto step_on = [&](const clusters::Pool& pool) {
      const catalog::Gpu& gpu = setup_.catalog->gpus.get(pool.type);
      return setup_.one_device->predict({job, graph, graph_cost, gpu}).iteration;
    };
    const Seconds reference = step_on(pools_.front());
    for (std::size_t t = 1; t < pools_.size(); ++t) {
      if (pools_[t].speed_from != clusters::SpeedFrom::catalogue) continue;
      const double speed = pools_.front().speed * (reference / step_on(pools_[t]));
      if (speed > 0 && std::isfinite(speed)) into.rate[t] = speed;
    }
  }

  PredictedSpeedSetup setup_;
  std::vector<clusters::Pool> pools_;
};

}  // namespace

std::unique_ptr<SpeedSource> speeds_by_model(const PredictedSpeedSetup& setup,
                                             const clusters::Cluster& cluster) {
  return std::make_unique<ModelSpeeds>(setup, cluster);
}

}  // namespace sextant::simulate
