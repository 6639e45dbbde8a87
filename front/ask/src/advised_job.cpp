#include "advised_job.h"

#include <algorithm>

#include "sextant/core/unit_text.h"

namespace sextant::ask {
namespace {

// What large networks are trained with: 3.2 million tokens a step for GPT-3 (Brown et al. 2020, arXiv
// 2005.14165), 4 million for Llama 2 (Touvron et al. 2023, arXiv 2307.09288).
constexpr double kUsualStepTokens = 4 * 1024 * 1024;
constexpr std::int64_t kUsualTuningBatch = 64;  // sequences

// Who names the batch of all GPUs has thought of it.
std::optional<std::int64_t> most_batch(const PlanFields& fields) {
  if (fields.max_global_batch || fields.global_batch) return fields.max_global_batch;
  return plan::kProvenBatch;
}

}  // namespace

DecoderSteps::DecoderSteps(const nets::Network& network, jobs::Job job, DecoderFields fields,
                           const catalog::Catalog& catalog)
    : network_(network), job_(std::move(job)), fields_(std::move(fields)), catalog_(catalog) {}

plan::PlacedStep DecoderSteps::step(const jobs::Layout& layout, const catalog::Gpu& gpu) const {
  jobs::Job job = job_;
  job.layout = layout;
  PlacedDecoder placed = place_decoder({network_, fields_, job, gpu}, catalog_);
  placed.prediction.warnings.clear();  // hundreds of offers are tight; the first says so in its note
  return {std::move(placed.prediction), static_cast<std::int64_t>(placed.step.global_batch)};
}

bool DecoderSteps::runs_on(const catalog::Gpu& gpu) const {
  return gpu.tensor_bf16.has_value() || gpu.tensor_fp16.has_value();
}

AdvisedJob::AdvisedJob(const PlanFields& fields, const catalog::Catalog& catalog)
    : network(nets::find_network(fields.job.net.name, at_field("net"))),
      job(job_of(fields.job, fields.batch)),
      predictor(make_predictor(fields.model, job, catalog, &remarks)) {
  job.net = network.id;
  const bool reads_tokens = network.decoder && network.input == nets::InputKind::tokens;
  if (reads_tokens && !job.sizes.seq) job.sizes.seq = network.defaults.seq;
  if (!fields.job.precision && trains_in_bf16(network, job, fields.decoder)) {
    job.precision = Precision::bf16;
  }
  DecoderFields said = fields.decoder;
  said.global_batch = fields.global_batch;
  if (asks_for_decoder(network, job, said)) plan_decoder(fields, catalog);
}

void AdvisedJob::plan_decoder(const PlanFields& fields, const catalog::Catalog& catalog) {
  check_law_fields(fields.model, fields.strategies);
  if (fields.batch != PlanFields{}.batch) {
    throw InputError(at_field("batch"), "the layout decides how many sequences each GPU takes",
                     "`global_batch` is the number of sequences of a step");
  }
  sequence = sequence_length(network, job);
  DecoderFields said = fields.decoder;
  said.global_batch = fields.global_batch;
  said.global_batch = said_global_batch(said, sequence);
  said.global_batch_tokens.reset();
  if (!said.global_batch) {
    const auto whole = static_cast<std::int64_t>(kUsualStepTokens) / sequence;
    said.global_batch = said.finetune ? kUsualTuningBatch : std::max<std::int64_t>(1, whole);
    if (fields.max_global_batch) said.global_batch = std::min(*said.global_batch, *fields.max_global_batch);
    const double tokens = static_cast<double>(*said.global_batch) * static_cast<double>(sequence);
    remarks.notes.push_back("a step has " + std::to_string(*said.global_batch) + " sequences of " +
                            std::to_string(sequence) + " tokens, " + human_count(tokens) +
                            " tokens together, as is usual; `global_batch` says otherwise");
  }
  decoder = std::make_unique<DecoderSteps>(network, job, std::move(said), catalog);
}

plan::Training AdvisedJob::training(const PlanFields& fields, const catalog::Catalog& catalog) const {
  return {.catalog = catalog,
          .network = network,
          .predictor = *predictor,
          .job = job,
          .global_batch = fields.global_batch,
          .most_batch = most_batch(fields),
          .steps = decoder.get()};
}

}  // namespace sextant::ask
