#include "plan_args.h"

#include "kinds.h"
#include "network_options.h"
#include "predict_args.h"

namespace sextant::cli {

std::vector<Option> plan_options(ask::PlanFields& a) {
  std::vector<Option> options = grouped("Sizes of the network", network_options(a.job.net));
  const std::vector<Option> own = {
      {.name = "deadline",
       .summary = "the job has to end by then: '36 h', or a date in UTC as 2027-01-31 or 2027-01-31T18:00",
       .target = &a.deadline,
       .value_name = "D"},
      {.name = "batch",
       .summary = "samples of a step on each GPU",
       .target = &a.batch,
       .value_name = "N",
       .low = 1},
      {.name = "global-batch",
       .summary = "instead of --batch: samples of a step on all GPUs together, shared out evenly",
       .target = &a.global_batch,
       .value_name = "N",
       .low = 1},
      {.name = "max-global-batch",
       .summary = "most samples of a step on all GPUs together; 8192 unless --global-batch is given",
       .target = &a.max_global_batch,
       .value_name = "N",
       .low = 1},
      {.name = "strategy",
       .summary = "parallel strategies to choose from; 'auto' means all synchronous strategies",
       .target = &a.strategies,
       .value_name = "LIST",
       .names = strategy_names},
      {.name = "network",
       .summary = "link between machines, for machine types of which the catalogue states none",
       .target = &a.link,
       .value_name = "LINK",
       .names = link_names},
      {.name = "region",
       .summary = "use the prices of this region; the cheapest region otherwise",
       .target = &a.region,
       .value_name = "R"},
      {.name = "spot",
       .summary = "use spot prices: the provider may take such machines back at any time",
       .target = &a.spot},
      {.name = "startup",
       .summary = "time from ordering machines to the first step, which is paid for (default 5 min)",
       .target = &a.startup,
       .value_name = "T"},
      {.name = "minimum-billing",
       .summary = "the shortest time that is paid for (default: as the provider bills)",
       .target = &a.minimum_billing,
       .value_name = "T"}};
  for (const auto& group : {own, grouped("Large language models", training_options(a.decoder)),
                            grouped("Software", software_options(a.job)),
                            grouped("Model that answers", predictor_options(a.model))}) {
    options.insert(options.end(), group.begin(), group.end());
  }
  put_under("Batch and strategy", {"global-batch", "max-global-batch", "strategy", "network"}, options);
  return options;
}

}  // namespace sextant::cli
