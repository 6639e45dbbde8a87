#include "timing_doubts.h"

#include <cmath>
#include <map>

#include "sextant/core/unit_text.h"
#include "step_bound.h"

namespace sextant::predict {
namespace {

// Caches keep some of the bytes that are counted: of 1332 published steps two are below the count, by 3 %.
constexpr double kCounted = 0.9;
constexpr double kFarOff = 20;         // times the prediction, either way
constexpr double kOtherUnit = 300;     // times the prediction: seconds for milliseconds
constexpr std::size_t kNamedRows = 3;  // of each kind of doubt; the rest are counted

std::string place_of(const Measurement& m) {
  if (m.at.file.empty()) return m.job.net + " on " + m.gpu;
  return m.at.file + ":" + std::to_string(m.at.line);
}

// The first few in words, the others as a number.
class Doubts {
 public:
  explicit Doubts(std::string rest) : rest_(std::move(rest)) {}

  void add(const std::string& text) {
    if (++count_ <= kNamedRows) notes_.push_back(text);
  }
  std::vector<std::string> take() {
    if (const std::size_t more = count_ - notes_.size(); more > 0) {
      notes_.push_back(std::to_string(more) + (more == 1 ? " more row is " : " more rows are ") + rest_);
    }
    return std::move(notes_);
  }

 private:
  std::string rest_;
  std::size_t count_ = 0;
  std::vector<std::string> notes_;
};

// Networks are read once: of some a file has to be read.
class LeastSteps {
 public:
  LeastSteps(const catalog::Catalog& catalog, const StackTraits& traits)
      : catalog_(catalog), traits_(traits) {}

  Seconds of(const Measurement& m) {
    auto known = networks_.find(m.job.net);
    if (known == networks_.end()) known = networks_.emplace(m.job.net, nets::find_network(m.job.net)).first;
    const nets::Graph graph = build(known->second, m.job.sizes);
    return least_step({m.job, graph, cost(graph, m.job.precision), catalog_.gpus.get(m.gpu)}, traits_);
  }

 private:
  const catalog::Catalog& catalog_;
  const StackTraits& traits_;
  std::map<std::string, nets::Network> networks_;
};

std::string unit_question(const Measurement& m, double ratio) {
  return place_of(m) + ": " + human(m.step) + " is " +
         std::to_string(std::lround(std::max(ratio, 1 / ratio))) + " times " +
         (ratio > 1 ? "longer" : "shorter") + " than predicted: is the unit right?";
}

double over_predicted(const Stack& stack, const Observation& row) {
  return row.seconds / std::exp(estimate(stack, row).log_total);
}

void leave_out_other_units(std::vector<Measurement>& timed, const catalog::Catalog& catalog,
                           const Stack& stack, std::vector<std::string>& notes) {
  Doubts doubts("left out for the same reason");
  const std::vector<Observation> rows = observe(timed, catalog, stack.traits);
  std::vector<Measurement> kept;
  for (std::size_t i = 0; i < timed.size(); ++i) {
    const double ratio = over_predicted(stack, rows[i]);
    if (ratio < kOtherUnit) {
      kept.push_back(timed[i]);
    } else {
      doubts.add(unit_question(timed[i], ratio) + " The row is left out");
    }
  }
  timed = std::move(kept);
  std::ranges::move(doubts.take(), std::back_inserter(notes));
}

}  // namespace

std::vector<Measurement> credible_timings(std::span<const Measurement> timed, const catalog::Catalog& catalog,
                                          const Stack& stack, std::vector<std::string>& notes) {
  const StackTraits& traits = stack.traits;
  LeastSteps least(catalog, traits);
  Doubts doubts("left out for the same reason");
  std::vector<Measurement> credible;
  for (const Measurement& m : timed) {
    // Where nothing is faster, such a step is fused software, which moves less than is counted.
    const std::string faster = faster_formats(catalog.gpus.get(m.gpu), m.job.precision, traits);
    const Seconds needed = faster.empty() ? Seconds{} : least.of(m);
    if (m.step >= kCounted * needed) {
      credible.push_back(m);
      continue;
    }
    doubts.add(place_of(m) + ": " + human(m.step) + " is below the " + human(needed) + " that " + m.gpu +
               " needs at least in " + to_string(m.job.precision) + ": was it " + faster +
               "? Say so by `precision`, or in a column of that name; until then the row is left out");
  }
  std::ranges::move(doubts.take(), std::back_inserter(notes));
  leave_out_other_units(credible, catalog, stack, notes);
  return credible;
}

std::vector<std::string> far_off_notes(const Stack& stack, std::span<const Measurement> timed,
                                       std::span<const Observation> rows) {
  Doubts doubts("as far off");
  for (std::size_t i = 0; i < timed.size(); ++i) {
    const double ratio = over_predicted(stack, rows[i]);
    if (ratio >= kFarOff || ratio <= 1 / kFarOff) doubts.add(unit_question(timed[i], ratio));
  }
  return doubts.take();
}

}  // namespace sextant::predict
