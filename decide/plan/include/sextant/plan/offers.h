// Offers: a machine type, how many of them, and the strategy that makes the most of them, with time and cost
// of the whole job. What cannot be offered is kept with its limit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/catalog/catalog.h"
#include "sextant/clusters/cluster.h"
#include "sextant/core/progress.h"
#include "sextant/nets/network.h"
#include "sextant/parallel/limit.h"
#include "sextant/predict/predictor.h"

namespace sextant::plan {

// Answers for jobs whose layout over devices is searched as a whole, in place of the predictor of one device
// and the strategies.
struct PlacedStep {
  predict::Prediction prediction;
  std::int64_t global_batch = 0;  // samples of a step
};
class StepSource {
 public:
  virtual ~StepSource() = default;
  // On all devices of the layout. InputError where no layout of them is possible.
  [[nodiscard]] virtual PlacedStep step(const jobs::Layout& layout, const catalog::Gpu& gpu) const = 0;
  [[nodiscard]] virtual bool runs_on(const catalog::Gpu& gpu) const = 0;
};

// A job that has to be trained somewhere. `job.duration` is set; job.sizes.batch counts for each GPU.
struct Training {
  const catalog::Catalog& catalog;
  const nets::Network& network;
  const predict::Predictor& predictor;  // of one device
  jobs::Job job;
  std::optional<std::int64_t> global_batch = {};  // shared out evenly, instead of the batch of each GPU
  std::optional<std::int64_t> most_batch = {};    // of all GPUs together: larger ones learn differently
  const StepSource* steps = nullptr;              // who answers instead; batches are then its own matter
};

// ResNet-50 trains in as many epochs as with small batches up to here (Goyal et al. 2017, arXiv 1706.02677).
inline constexpr std::int64_t kProvenBatch = 8192;

// Which machines at which price.
struct Market {
  std::vector<std::string> machines = {};               // ids; empty: all that the stack runs on
  std::vector<std::int64_t> counts = {1, 2, 4, 8, 16};  // machines of one type
  std::string region = {};                              // empty: the cheapest
  bool spot = false;
  std::optional<Seconds> startup = {};          // instead of the provider's
  std::optional<Seconds> minimum_billing = {};  // the same
  std::string link = {};                        // between machines, of types that state none
  std::vector<std::string> strategies = {};     // as people write them; empty: all
};

// What renting adds to training.
struct Renting {
  Seconds startup = {};    // from the order of the machines to the first step; it is paid for
  Seconds minimum = {};    // the least time that is billed
  Seconds increment = {};  // the billed time is rounded up to a multiple of it; 0: it is not rounded

  [[nodiscard]] Seconds billed(Seconds time) const;
};

struct Offer {
  clusters::Pool pool;  // machines of one type
  std::string region;
  DollarRate price;  // of all machines together
  predict::Prediction step;
  std::int64_t global_batch = 0;
  Renting renting = {};
  bool supported = true;  // the stack is known to run on these GPUs
  Seconds time;           // of the whole job, from the order of the machines on
  Seconds time_low;       // ends of the 90 % interval
  Seconds time_high;      // infinite where the model only bounds from below
  Dollars cost;

  // Of a job that takes so long.
  [[nodiscard]] Dollars cost_of(Seconds whole) const { return price * renting.billed(whole); }
  // Fills in time, interval and cost.
  void set_steps(std::int64_t steps);
};

// Why configurations are missing among the offers.
struct Refusal {
  parallel::Limit limit = parallel::Limit::memory;
  std::int64_t configurations = 0;
  std::string example;  // of the configuration that came nearest, or the first
  double excess = 0;    // memory: need over capacity of the nearest; 0 otherwise
};

struct Offers {
  std::vector<Offer> list;  // in the order of the catalogue, then of the counts
  std::vector<Refusal> refusals = {};
  std::int64_t configurations = 0;  // looked at
  std::int64_t above_most = 0;      // of them, refused for a batch above Training::most_batch
};

// What each strategy makes of one offer's machines: a step, or the limit that stops it.
struct StrategyVerdict {
  std::string strategy;  // its best variant: "pipeline:micro=8"
  std::optional<Seconds> step = {};
  std::optional<parallel::Limit> limit = {};  // memory has a step too
  std::string reason = {};                    // of the limit
};
// Fastest first, then what does not fit, then what cannot be used. Empty for one GPU.
std::vector<StrategyVerdict> compare_strategies(const Training& training, const Market& market,
                                                const Offer& offer);

// InputError for an unknown machine, region or strategy.
Offers find_offers(const Training& training, const Market& market, Progress& progress);

}  // namespace sextant::plan
