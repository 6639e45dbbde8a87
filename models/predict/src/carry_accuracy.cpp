// How far timings on one device carry over to others, for software that no stack was calibrated for: a stack
// of other software answers, as it is and corrected by a few timings on one device.
#include <algorithm>
#include <cmath>

#include "accuracy_case.h"
#include "sextant/predict/accuracy.h"
#include "sextant/predict/carried_factor.h"
#include "sextant/predict/trials.h"

namespace sextant::predict {
namespace {

using Rows = std::vector<const Observation*>;

// The cases that the program would name, of those on this device.
Rows timed_rows(const Rows& rows, const Stack& stack, std::size_t count) {
  const auto chosen = choose_trials({.candidates = rows, .groups = {}, .count = count}, stack.shared);
  Rows timed;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (std::ranges::find(chosen, std::to_string(i)) != chosen.end()) timed.push_back(rows[i]);
  }
  return timed;
}

CarriedFactor factor_from(const Rows& timed, const Stack& stack, const catalog::Catalog& catalog) {
  std::vector<FactorTiming> ratios;
  for (const Observation* row : timed) {
    const StackEstimate e = estimate(stack, *row);
    ratios.push_back({.gpu = row->labels.gpu,
                      .architecture = catalog.gpus.get(row->labels.gpu).architecture,
                      .net = row->labels.net,
                      .known_gpu = e.known_gpu,
                      .log_ratio = std::log(row->seconds) - e.log_total});
  }
  return {ratios, stack.spread};
}

}  // namespace

CarryLines carry_over(const AccuracyRows& question, const Stack& stack, std::size_t count,
                      const catalog::Catalog& catalog) {
  std::map<std::string, Rows> by_gpu;
  for (const Observation* row : question.rows) by_gpu[row->labels.gpu].push_back(row);
  const std::string answered = question.data + ", answered by " + stack.id;
  CarryLines lines{.as_is = {.data = answered, .left_out = "the software"},
                   .carried = {.data = answered,
                               .left_out = "the software, after " + std::to_string(count) +
                                           " cases timed on another GPU"}};
  for (const auto& [timed_gpu, members] : by_gpu) {
    const CarriedFactor factor = factor_from(timed_rows(members, stack, count), stack, catalog);
    for (const Observation* row : question.rows) {
      if (row->labels.gpu == timed_gpu) continue;
      const StackEstimate e = estimate(stack, *row);
      const double width = half_width(stack, e, outside(stack.range, *row, e.step));
      const CarriedShift shift = factor.on(catalog.gpus.get(row->labels.gpu).architecture, row->labels.net);
      lines.as_is.cases.push_back(judged(row->labels.gpu, *row, e.log_total, width));
      lines.carried.cases.push_back(
          judged(row->labels.gpu, *row, e.log_total + shift.log_factor, carried_half_width(stack, e, shift)));
    }
  }
  return lines;
}

}  // namespace sextant::predict
