// What to rent: which machines, how many and which strategy for a training job, and how many machines keep a
// growing job in time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/ask/decoder.h"
#include "sextant/ask/job_fields.h"
#include "sextant/plan/advise.h"
#include "sextant/plan/scale.h"

namespace sextant::ask {

// The job and the market, which both questions have.
struct PlanFields {
  JobFields job = {};
  DecoderFields decoder = {};  // of large language models; its `global_batch` is the one below
  ModelFields model = {};
  std::int64_t batch = 32;                            // samples of a step on each GPU
  std::optional<std::int64_t> global_batch = {};      // instead: on all GPUs together, shared out evenly
  std::optional<std::int64_t> max_global_batch = {};  // plan::kProvenBatch if neither is said
  std::vector<std::string> strategies = {"auto"};
  std::optional<std::string> link = {};      // between machines whose type states none
  std::optional<std::string> region = {};    // prices of this region, instead of the cheapest
  std::optional<std::string> deadline = {};  // "36 h", or a date in UTC: "2027-01-31", "2027-01-31T18:00"
  bool spot = false;                         // prices of machines that the provider may take back
  std::optional<std::string> startup = {};   // "5 min": until machines train, instead of the provider's
  std::optional<std::string> minimum_billing =
      {};  // "60 s": the least that is paid, instead of the provider's
};

struct AdviseQuestion {
  PlanFields plan = {};
  std::optional<std::int64_t> samples = {};  // in the data set; no question without it or tokens
  std::optional<double> epochs = {};         // passes over it; 1 if not said
  std::vector<std::string> machines = {"all"};
  std::vector<std::int64_t> counts = {};   // machines of one type to look at; none: those of plan::Market
  std::optional<std::string> budget = {};  // dollars: "250", "250 USD"
  std::optional<std::string> by = {};      // rank by "cost" or "time"; time with a budget and no deadline
  bool safe = false;                       // the upper end of the interval has to keep deadline and budget
};

// Offers point into the catalogue. That nothing fits is an answer: advice.tightest says what has to give.
struct AdviseAnswer {
  plan::Offers offers;
  plan::Advice advice;
  std::vector<plan::StrategyVerdict> strategies = {};  // on the machines of the first offer
  // Bounds that nobody asked for and that keep offers out; 0: none does.
  std::int64_t usual_most_machines = 0;
  std::int64_t usual_most_batch = 0;
  std::vector<std::string> notes = {};     // what the ranking rests on
  std::vector<std::string> warnings = {};  // timings that are doubtful
};

AdviseAnswer advise(const AdviseQuestion& question, const catalog::Catalog& catalog, Progress& progress);

struct ScaleQuestion {
  PlanFields plan = {};
  std::string machine = {};                // type
  std::vector<std::int64_t> samples = {};  // sizes of the data set
  std::vector<std::int64_t> tokens = {};   // the same of large language models, in tokens of a pass
  double epochs = 1;
  std::int64_t most = plan::ScaleRequest{}.most;              // machines to look at
  double efficiency = plan::ScaleRequest{}.least_efficiency;  // of what the first does, that another adds
};

struct ScaleAnswers {
  plan::ScaleRequest request;
  plan::ScaleAnswer scale;
  std::int64_t sequence = 0;  // tokens of a sample, where sizes were said in tokens
  Remarks remarks = {};       // on the timings that were read

  // Not if there is a size that no number of machines holds, or gets done in time.
  [[nodiscard]] bool feasible() const;
};

ScaleAnswers scale(const ScaleQuestion& question, const catalog::Catalog& catalog, Progress& progress);

}  // namespace sextant::ask
