// What `advise` and `scale` have in common: the job, the market, and how both are declared.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "predict_args.h"
#include "sextant/plan/offers.h"

namespace sextant {

struct PlanArgs {
  PredictArgs job;  // network, batch, software, predictor
  std::vector<std::string> strategies = {"auto"};
  std::optional<std::string> network;
  std::optional<std::string> region;
  std::optional<std::int64_t> global_batch;
  std::optional<std::int64_t> most_batch;
  std::optional<std::string> deadline;
  bool spot = false;
};

// All but the size of the data set, and the machines.
std::vector<Option> plan_options(PlanArgs& args);

Training training_of(const PlanArgs& args, const Catalog& catalog, const Network& network,
                     const Predictor& predictor);
Market market_of(const PlanArgs& args, const Catalog& catalog);

// "36 h", or a date in UTC, "2026-12-01" or "2026-12-01T18:00", counted from now. InputError for one that
// is past.
Seconds parse_deadline(const std::string& text, const SourcePos& at);

}  // namespace sextant
