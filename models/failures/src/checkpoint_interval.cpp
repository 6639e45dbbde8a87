#include "sextant/failures/checkpoint_interval.h"

#include <cmath>

#include "sextant/core/error.h"
#include "sextant/core/infinity.h"
#include "sextant/core/text.h"

namespace sextant::failures {
namespace {

void check_time(Seconds time, const char* what) {
  if (time.value >= 0) return;
  throw InputError(std::string(what) + " is " + number_text(time.value) + ", and must not be negative");
}

void check_positive(Seconds time, const char* what) {
  if (time.value > 0) return;
  throw InputError(std::string(what) + " is " + number_text(time.value) + ", and must be positive");
}

}  // namespace

Seconds mtbf_of_nodes(Seconds node_mtbf, std::int64_t nodes) {
  check_positive(node_mtbf, "the mean time between failures");
  if (nodes < 1) throw InputError("a job on " + std::to_string(nodes) + " nodes: it needs at least one");
  return node_mtbf / static_cast<double>(nodes);
}

Seconds young_interval(Seconds cost, Seconds mtbf) {
  check_time(cost, "the time to write a checkpoint");
  check_positive(mtbf, "the mean time between failures");
  if (std::isinf(mtbf.value)) return Seconds{kInfinity};
  return Seconds{std::sqrt(2 * cost.value) * std::sqrt(mtbf.value)};
}

Seconds daly_interval(Seconds cost, Seconds mtbf) {
  const Seconds young = young_interval(cost, mtbf);
  if (std::isinf(young.value)) return young;
  if (cost >= 2 * mtbf) return mtbf;
  const double ratio = cost / (2 * mtbf);
  return young * (1 + std::sqrt(ratio) / 3 + ratio / 9) - cost;
}

double closed_form_goodput(const InterruptionCosts& costs, Seconds every, Seconds mtbf) {
  check_positive(every, "the time between checkpoints");
  const double wall =
      mtbf / every * std::exp(costs.restart / mtbf) * std::expm1((every + costs.checkpoint) / mtbf);
  return 1 / wall;
}

}  // namespace sextant::failures
