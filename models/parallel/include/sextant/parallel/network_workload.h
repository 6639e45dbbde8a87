// A network on a GPU as the strategies see it: the predicted step of one device, shared out over the layers
// in proportion to what the predictor says of its operators. Two batch sizes tell what a layer takes for
// each sample and what it takes whatever the batch. Passes of pipelines are priced at their own size.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "sextant/nets/cost.h"
#include "sextant/nets/network.h"
#include "sextant/parallel/workload.h"
#include "sextant/predict/predictor.h"

namespace sextant::parallel {

struct ProfiledStep {
  predict::Prediction prediction;  // of one device with its own batch
  Workload load;
};

struct CountedGraph {
  nets::Graph graph;
  nets::GraphCost cost;
};

// Graphs of networks at some sizes, each built once for all devices and strategies. Threads may share one.
class GraphMemo {
 public:
  std::shared_ptr<const CountedGraph> of(const nets::Network& network, const nets::Binding& sizes,
                                         Precision precision);

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const CountedGraph>> known_;
};

// A network and the predictor that knows it; they outlive the loads that are made of them, which ask again.
struct ProfileSource {
  const nets::Network& network;
  const predict::Predictor& predictor;
  GraphMemo* graphs = nullptr;  // for steps that are profiled on many devices
};

// `job.sizes.batch` samples on one device. load.step() of that batch is the prediction.
ProfiledStep profile_step(const ProfileSource& source, const jobs::Job& job, const catalog::Gpu& gpu);

// The same where the graph is there already.
ProfiledStep profile_step(const ProfileSource& source, const predict::Query& query);

}  // namespace sextant::parallel
