#include "plan_args.h"

#include <chrono>
#include <ctime>
#include <iomanip>
#include <sstream>

#include "kinds.h"
#include "sextant/core/unit_text.h"
#include "sextant/parallel/cluster_predictor.h"

namespace sextant {
namespace {

// Seconds since 1970; nothing if the text is no date.
std::optional<double> date_seconds(const std::string& text) {
  for (const char* form : {"%Y-%m-%dT%H:%M", "%Y-%m-%d"}) {
    std::tm time{};
    std::istringstream in(text);
    in >> std::get_time(&time, form);
    if (!in.fail() && in.peek() == std::istringstream::traits_type::eof()) {
      return static_cast<double>(timegm(&time));
    }
  }
  return std::nullopt;
}

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

Seconds parse_deadline(const std::string& text, const SourcePos& at) {
  if (const auto date = date_seconds(text)) {
    const double left = *date - now_seconds();
    if (left <= 0) throw InputError(at, "'" + text + "' is in the past");
    return Seconds{left};
  }
  if (text.starts_with('-'))
    throw InputError(at, "'" + text + "' is in the past", "a time from now, as in '36 h'");
  const Seconds left = parse_seconds(text, at);
  if (left <= Seconds{})
    throw InputError(at, "'" + text + "' leaves no time", "a time from now, as in '36 h'");
  return left;
}

std::vector<Option> plan_options(PlanArgs& a) {
  std::vector<Option> options = network_options(a.job.network);
  const std::vector<Option> own = {
      {.name = "deadline",
       .summary = "the job has to end by then: '36 h', or a date in UTC as 2027-01-31 or 2027-01-31T18:00",
       .target = &a.deadline,
       .value_name = "D"},
      {.name = "batch",
       .summary = "samples of a step on each GPU",
       .target = &a.job.batches,
       .value_name = "N",
       .low = 1},
      {.name = "global-batch",
       .summary = "instead of --batch: samples of a step on all GPUs together, shared out evenly",
       .target = &a.global_batch,
       .value_name = "N",
       .low = 1},
      {.name = "max-global-batch",
       .summary = "no more samples in a step than so many, on all GPUs together",
       .target = &a.most_batch,
       .value_name = "N",
       .low = 1},
      {.name = "strategy",
       .summary = "how GPUs may share the job, or 'auto' for all ways that keep gradients fresh",
       .target = &a.strategies,
       .value_name = "LIST",
       .names = strategy_names},
      {.name = "network",
       .summary = "link between machines whose type states none",
       .target = &a.network,
       .value_name = "LINK",
       .names = link_names},
      {.name = "region",
       .summary = "prices of this region, instead of the cheapest",
       .target = &a.region,
       .value_name = "R"},
      {.name = "spot", .summary = "spot prices, which machines can be taken back at", .target = &a.spot}};
  for (const auto& group : {own, software_options(a.job), predictor_options(a.job)}) {
    options.insert(options.end(), group.begin(), group.end());
  }
  return options;
}

Training training_of(const PlanArgs& args, const Catalog& catalog, const Network& network,
                     const Predictor& predictor) {
  if (args.job.batches.size() != 1) throw InputError({"--batch"}, "one size at a time");
  Training training{.catalog = catalog,
                    .network = network,
                    .predictor = predictor,
                    .job = job_of(args.job, args.job.batches.front()),
                    .global_batch = args.global_batch,
                    .most_batch = args.most_batch};
  training.job.network = network.id;
  return training;
}

Market market_of(const PlanArgs& args, const Catalog& catalog) {
  Market market{.region = args.region.value_or(""), .spot = args.spot};
  if (args.network) market.network = catalog.links.get(*args.network, {"--network"}).id;
  for (const auto& text : args.strategies) {
    if (text == kAnyStrategy) return market;
  }
  market.strategies = args.strategies;
  return market;
}

}  // namespace sextant
