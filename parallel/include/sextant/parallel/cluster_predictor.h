// A step on many devices: the predictor of one device, with a strategy on top. A job on one device is
// passed through as it is.
#pragma once

#include "sextant/catalog/catalog.h"
#include "sextant/parallel/oracle.h"
#include "sextant/predict/predictor.h"

namespace sextant {

// The word that asks for the fastest strategy that fits.
inline constexpr const char* kAnyStrategy = "auto";

class ClusterPredictor final : public Predictor {
 public:
  // Both outlive the predictor.
  ClusterPredictor(const Catalog& catalog, const Predictor& one_device)
      : catalog_(catalog), one_device_(one_device) {}

  // InputError, at "--strategy", where the layout is impossible for the network or the cluster.
  [[nodiscard]] Prediction predict(const Query& query) const override;
  [[nodiscard]] std::vector<OpTime> op_times(const Query& query) const override {
    return one_device_.op_times(query);
  }

 private:
  const Catalog& catalog_;
  const Predictor& one_device_;
};

// The strategy as the text asks for it: with its parameters if it names any, else its best variant; of all
// strategies for "auto". InputError for an unknown name or parameter.
Candidate choose_strategy(const std::string& text, const StrategyQuery& query);

// One device's prediction, and what a strategy makes of it.
Prediction spread_prediction(const Prediction& one_device, const Candidate& candidate);

}  // namespace sextant
