// The job of a question about machines, with what answers for its steps: a predictor of one device and the
// strategies, or the law of large language models.
#pragma once

#include <memory>

#include "decoder_answer.h"
#include "sextant/ask/advise.h"

namespace sextant::ask {

// The best layout of a large language model on any machines.
class DecoderSteps : public plan::StepSource {
 public:
  DecoderSteps(const nets::Network& network, jobs::Job job, DecoderFields fields,
               const catalog::Catalog& catalog);

  [[nodiscard]] plan::PlacedStep step(const jobs::Layout& layout, const catalog::Gpu& gpu) const override;
  [[nodiscard]] bool runs_on(const catalog::Gpu& gpu) const override;

 private:
  const nets::Network& network_;
  jobs::Job job_;
  DecoderFields fields_;
  const catalog::Catalog& catalog_;
};

// What plan::Training refers to.
struct AdvisedJob {
  nets::Network network;
  jobs::Job job;
  Remarks remarks = {};  // on the timings that were read, and what nobody said
  std::unique_ptr<predict::Predictor> predictor;
  std::unique_ptr<DecoderSteps> decoder = {};
  std::int64_t sequence = 0;  // tokens, of a decoder

  AdvisedJob(const PlanFields& fields, const catalog::Catalog& catalog);
  [[nodiscard]] plan::Training training(const PlanFields& fields, const catalog::Catalog& catalog) const;

 private:
  void plan_decoder(const PlanFields& fields, const catalog::Catalog& catalog);
};

}  // namespace sextant::ask
