#include "sextant/simulate/predicted_speeds.h"

#include <algorithm>
#include <optional>

#include "model_job.h"
#include "sextant/core/unit_text.h"
#include "sextant/parallel/cluster_predictor.h"

namespace sextant::simulate {
namespace {

class PredictedSpeeds final : public SpeedSource {
 public:
  PredictedSpeeds(const PredictedSpeedSetup& setup, const clusters::Cluster& cluster)
      : setup_(setup), predictor_(*setup.catalog, *setup.one_device), pools_(cluster.pools) {
    for (clusters::Pool& pool : pools_) {
      gpus_.push_back(&setup.catalog->gpus.get(pool.type, at_field("cluster")));
      if (!names_link(pool, *setup.catalog)) pool.link = setup.link;
    }
  }

  std::optional<Refusal> fill(const std::string& model, JobClass& into) const override {
    jobs::Job job = job_of_model(model, setup_.job);
    const nets::Graph graph = build(nets::find_network(job.net), job.sizes);
    const nets::GraphCost graph_cost = cost(graph, job.precision);
    double reference = 0;  // seconds of a step on the first pool
    double largest = 0;    // memory of a type that is too small
    std::optional<Refusal> refusal;
    for (std::size_t t = 0; t < pools_.size(); ++t) {
      const predict::Query query{job, graph, graph_cost, *gpus_[t]};
      const Seconds step =
          step_on(query, job, pools_[t], jobs::Placement::packed(into.gpus, pools_[t].per_node));
      if (t == 0) reference = step.value;
      if (step.value <= 0 && gpus_[t]->memory.value > largest) {
        largest = gpus_[t]->memory.value;
        refusal = too_large(model, query, job);
      }
      const double per_step = setup_.unit == jobs::WorkUnit::steps ? into.gpus : reference;
      into.rate[t] = step.value > 0 ? per_step / step.value : 0;
      if (const auto factor = spread_factor(query, job, step, pools_[t])) {
        into.across_nodes[t] = into.across_racks[t] = *factor;
      }
    }
    return refusal;
  }

  bool fill_pair(const std::string&, const std::string&, std::int32_t, PairOfClasses&) const override {
    return false;  // nobody has timed these; a prediction of two networks on one GPU would be a guess
  }

 private:
  // Of the last placement that was asked.
  [[nodiscard]] Refusal too_large(const std::string& model, const predict::Query& query,
                                  const jobs::Job& job) const {
    const Bytes needed = predictor_.predict(query).memory.total();
    return {RefusalKind::memory, "trains '" + model + "', which needs " + human(needed) + " on each of its " +
                                     std::to_string(job.layout.devices()) + " GPUs; a " + query.gpu.id +
                                     " leaves a job " + human(predict::plannable_memory(query.gpu))};
  }

  // 0 where the job does not fit the memory.
  [[nodiscard]] Seconds step_on(const predict::Query& query, jobs::Job& job, const clusters::Pool& pool,
                                jobs::Placement placement) const {
    job.layout.placement = std::move(placement);
    job.layout.machine = pool.machine;
    job.layout.link = pool.link;
    if (job.layout.placement.nodes() > 1 && !names_link(pool, *setup_.catalog)) {
      throw InputError({},
                       std::to_string(job.layout.placement.total()) + " GPUs of type '" + query.gpu.id +
                           "' stand on several nodes, and no network joins them",
                       "give `network` LINK");
    }
    const predict::Prediction prediction = predictor_.predict(query);
    return prediction.fits ? prediction.iteration : Seconds{0};
  }

  // Speed of a gang on one node more than it needs, relative to `step` on those that it needs.
  [[nodiscard]] std::optional<double> spread_factor(const predict::Query& query, jobs::Job& job, Seconds step,
                                                    const clusters::Pool& pool) const {
    const std::int64_t gpus = job.layout.devices();
    const bool could_spread =
        step.value > 0 && gpus > 1 && pool.nodes() > 1 && names_link(pool, *setup_.catalog);
    if (!could_spread) return std::nullopt;
    const std::int64_t nodes = jobs::Placement::packed(gpus, pool.per_node).nodes();
    const Seconds spread =
        step_on(query, job, pool, jobs::Placement::packed(gpus, (gpus + nodes) / (nodes + 1)));
    if (spread.value <= 0) return std::nullopt;
    return std::min(1.0, step / spread);
  }

  PredictedSpeedSetup setup_;
  parallel::ClusterPredictor predictor_;
  std::vector<clusters::Pool> pools_;
  std::vector<const catalog::Gpu*> gpus_;  // by pool
};

}  // namespace

std::unique_ptr<SpeedSource> speeds_from_prediction(const PredictedSpeedSetup& setup,
                                                    const clusters::Cluster& cluster) {
  return std::make_unique<PredictedSpeeds>(setup, cluster);
}

}  // namespace sextant::simulate
