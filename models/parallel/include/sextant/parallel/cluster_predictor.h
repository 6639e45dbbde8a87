// A step on many devices: the predictor of one device, with a strategy on top. A job on one device is
// passed through as it is.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/parallel/network_workload.h"
#include "sextant/parallel/oracle.h"
#include "sextant/predict/predictor.h"

namespace sextant::parallel {

// The word that asks for the fastest strategy that fits.
inline constexpr const char* kAnyStrategy = "auto";

class ClusterPredictor final : public predict::Predictor {
 public:
  // Both outlive the predictor.
  ClusterPredictor(const catalog::Catalog& catalog, const predict::Predictor& one_device)
      : catalog_(catalog), one_device_(one_device) {}

  // InputError, at field "strategy", where the layout is impossible for the network or the cluster.
  [[nodiscard]] predict::Prediction predict(const predict::Query& query) const override;
  [[nodiscard]] std::vector<predict::OpTime> op_times(const predict::Query& query) const override {
    return one_device_.op_times(query);
  }
  [[nodiscard]] predict::StepParts parts(const predict::Query& query) const override {
    return one_device_.parts(query);
  }
  [[nodiscard]] bool runs_on(const jobs::Job& job, const catalog::Gpu& gpu) const override {
    return one_device_.runs_on(job, gpu);
  }

 private:
  // Read once, also where several threads ask: an ONNX file can be large.
  const nets::Network& network(const std::string& name) const;

  const catalog::Catalog& catalog_;
  const predict::Predictor& one_device_;
  mutable std::mutex mutex_ = {};
  mutable std::map<std::string, nets::Network> networks_ = {};
  mutable GraphMemo graphs_ = {};
};

// The strategy as the text asks for it: with its parameters if it names any, else its best variant; of all
// strategies for "auto". InputError for an unknown name or parameter.
Candidate choose_strategy(const std::string& text, const ParallelQuery& query);

// One device's prediction, and what a strategy makes of it.
predict::Prediction spread_prediction(const predict::Prediction& one_device, const Candidate& candidate);

}  // namespace sextant::parallel
