// A predictor that hands steps of large language models to their law, and everything else on.
#pragma once

#include <map>
#include <mutex>

#include "decoder_answer.h"
#include "sextant/predict/predictor.h"

namespace sextant::ask {

class DecoderAware final : public predict::Predictor {
 public:
  // Both outlive the predictor.
  DecoderAware(const catalog::Catalog& catalog, const predict::Predictor& other)
      : catalog_(catalog), other_(other) {}

  [[nodiscard]] predict::Prediction predict(const predict::Query& query) const override;
  [[nodiscard]] std::vector<predict::OpTime> op_times(const predict::Query& query) const override {
    return other_.op_times(query);
  }
  [[nodiscard]] predict::StepParts parts(const predict::Query& query) const override {
    return other_.parts(query);
  }
  [[nodiscard]] bool runs_on(const jobs::Job& job, const catalog::Gpu& gpu) const override {
    return other_.runs_on(job, gpu);
  }

 private:
  [[nodiscard]] const nets::Network& network(const std::string& name) const;

  const catalog::Catalog& catalog_;
  const predict::Predictor& other_;
  mutable std::mutex mutex_ = {};
  mutable std::map<std::string, nets::Network> networks_ = {};
};

}  // namespace sextant::ask
