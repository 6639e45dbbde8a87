// A prediction with where it holds: the job, the devices, and what renting them costs.
#pragma once

#include <optional>
#include <string>

#include "sextant/ask/decoder.h"
#include "sextant/ask/generation.h"
#include "sextant/jobs/job.h"
#include "sextant/predict/prediction.h"

namespace sextant::ask {

struct Answer {
  jobs::Job job;    // job.layout.machine is empty where devices alone were asked for
  std::string gpu;  // "v100", or "v100+t4" where kinds are mixed
  predict::Prediction prediction;
  std::optional<DollarRate> price = {};  // of all machines together
  Bytes gpu_memory;
  std::optional<DecoderStep> decoder = {};    // of a large language model that is trained
  std::optional<Generation> generation = {};  // of one that writes

  [[nodiscard]] std::int64_t step_samples() const;
  [[nodiscard]] double samples_per_second() const;
  [[nodiscard]] std::optional<Dollars> sample_cost() const;
  // Of the whole job, if its duration is known.
  [[nodiscard]] std::optional<Seconds> total_time() const;
  [[nodiscard]] std::optional<Dollars> total_cost() const;
};

}  // namespace sextant::ask
