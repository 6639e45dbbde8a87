// Predictions, one answer a row: where, how long, how much memory, what it costs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/core/json.h"
#include "sextant/jobs/training_job.h"
#include "sextant/predict/prediction.h"
#include "sextant/report/table.h"

namespace sextant {

struct Answer {
  TrainingJob job;
  std::string gpu;
  std::string machine;  // empty: the device alone was asked for
  Prediction prediction;
  std::optional<DollarRate> price = {};
  Bytes gpu_memory;

  [[nodiscard]] std::optional<Seconds> total_time() const;
  [[nodiscard]] std::optional<Dollars> total_cost() const;
};

Table answers_table(const std::vector<Answer>& answers);
Json to_json(const Answer& answer);

}  // namespace sextant
