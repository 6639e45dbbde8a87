#include "sextant/report/scale_report.h"

#include <cmath>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/report/advice_report.h"

namespace sextant::report {
namespace {

using enum Importance;
using plan::ScalePoint;

// A size of the data set with a number of machines; of the last two only where sizes are compared.
struct ScaleRow {
  std::int64_t samples = 0;
  std::int64_t sequence = 0;  // tokens of a sample, where sizes are said in tokens
  const ScalePoint* point = nullptr;
  const ScalePoint* last_paying = nullptr;
  const ScalePoint* fastest = nullptr;
};

Cell share_cell(double share) {
  Cell cell(share);
  cell.shown = number_text(std::round(100 * share)) + " %";
  return cell;
}

Cell speedup_cell(double speedup) {
  Cell cell(speedup);
  cell.shown = number_text(std::round(100 * speedup) / 100);
  return cell;
}

// Sequences are whole, so that these are a little more than what was asked for.
Cell tokens_cell(const ScaleRow& row) {
  if (row.sequence == 0) return Cell();
  Cell cell(row.samples * row.sequence);
  cell.shown = human_count(static_cast<double>(row.samples * row.sequence));
  return cell;
}

Cell bounded_time(Seconds time) {
  return std::isfinite(time.value) ? Cell(time) : Cell();
}

Fields<ScalePoint> scale_point_fields() {
  return {
      {"machines", "machines", [](const ScalePoint& p) { return Cell(p.offer.pool.nodes()); }, essential},
      {"gpus", "GPUs", [](const ScalePoint& p) { return Cell(p.offer.pool.gpus); }},
      {"strategy", "strategy", [](const ScalePoint& p) { return Cell(p.offer.step.strategy); }},
      {"layout", "layout", [](const ScalePoint& p) { return Cell(p.offer.step.degrees); }},
      {"iteration_s", "step", [](const ScalePoint& p) { return Cell(p.offer.step.iteration); }},
      {"total_s", "time", [](const ScalePoint& p) { return Cell(p.offer.time); }, essential},
      {"low_s", "90 % low", [](const ScalePoint& p) { return Cell(p.offer.time_low); }, essential},
      {"high_s", "90 % high", [](const ScalePoint& p) { return bounded_time(p.offer.time_high); }, essential},
      {"total_usd", "cost", [](const ScalePoint& p) { return Cell(p.offer.cost); }, essential},
      {"speedup", "speed-up", [](const ScalePoint& p) { return speedup_cell(p.speedup); }},
      {"efficiency", "efficiency", [](const ScalePoint& p) { return share_cell(p.efficiency); }},
      {"marginal", "", [](const ScalePoint& p) { return Cell(p.marginal); }, detail},
  };
}

Fields<ScaleRow> scale_curve_fields() {
  return joined(
      {Fields<ScaleRow>{{"samples", "samples", [](const ScaleRow& r) { return Cell(r.samples); }, identity}},
       Fields<ScaleRow>{{"tokens", "tokens", [](const ScaleRow& r) { return tokens_cell(r); }, detail}},
       of_part<ScaleRow, ScalePoint>(scale_point_fields(), [](const ScaleRow& r) { return r.point; })});
}

Fields<ScaleRow> scale_size_fields() {
  const Fields<ScaleRow> bounds = {
      {"pays_up_to", "pays up to",
       [](const ScaleRow& r) { return r.last_paying ? Cell(r.last_paying->offer.pool.nodes()) : Cell(); },
       essential},
      {"fastest_with", "fastest with",
       [](const ScaleRow& r) { return r.fastest ? Cell(r.fastest->offer.pool.nodes()) : Cell(); }, essential},
      {"fastest_s", "shortest time",
       [](const ScaleRow& r) { return r.fastest ? Cell(r.fastest->offer.time) : Cell(); }},
  };
  return joined({scale_curve_fields(), bounds});
}

ScaleRow row_of(const plan::ScaleCurve& curve, const plan::ScaleRequest& request, std::int64_t sequence) {
  ScaleRow row{.samples = curve.samples, .sequence = sequence};
  if (curve.points.empty()) return row;
  row.fastest = &curve.points[curve.fastest];
  row.last_paying = &curve.points[curve.last_paying.value_or(curve.points.size() - 1)];
  if (!request.deadline) row.point = row.last_paying;
  if (request.deadline && curve.enough) row.point = &curve.points[*curve.enough];
  return row;
}

// Who asks in tokens reads tokens.
Fields<ScaleRow> in_tokens(const Fields<ScaleRow>& fields, const ask::ScaleAnswers& answer) {
  if (answer.sequence == 0) return fields;
  return with_importance(with_importance(fields, detail, {"samples"}), identity, {"tokens"});
}

}  // namespace

Result scale_result(const ask::ScaleAnswers& answer) {
  std::vector<ScaleRow> sizes;
  std::vector<ScaleRow> curve;
  for (const plan::ScaleCurve& each : answer.scale.curves) {
    sizes.push_back(row_of(each, answer.request, answer.sequence));
    for (const ScalePoint& point : each.points)
      curve.push_back({.samples = each.samples, .sequence = answer.sequence, .point = &point});
  }
  const std::string pays = "the most machines of which the last still adds at least " +
                           number_text(100 * answer.request.least_efficiency) + " % of the first one's speed";
  Table of_sizes = table_of(
      explained(in_files(in_tokens(scale_size_fields(), answer), {"layout", "iteration_s", "speedup"}),
                {{"pays_up_to", pays}, {"fastest_with", "the number of machines with the shortest time"}}),
      sizes);
  // Of a curve, the number of machines is what tells rows apart.
  Table of_curve =
      table_of(with_importance(in_files(in_tokens(scale_curve_fields(), answer), {"low_s", "high_s"}),
                               identity, {"machines"}),
               curve);
  return {.schema = "sextant.scale/1",
          .sections = {{.key = "sizes", .table = std::move(of_sizes)},
                       {.key = "curve", .table = std::move(of_curve), .shown = false}}};
}

std::vector<std::string> scale_warnings(const ask::ScaleAnswers& answer) {
  const plan::ScaleRequest& request = answer.request;
  std::vector<std::string> lines;
  for (const plan::ScaleCurve& curve : answer.scale.curves) {
    if (curve.points.empty()) {
      lines.push_back("nothing fits: " + refusals_text(answer.scale.refusals));
      return lines;  // the step does not depend on the size of the data set
    }
    if (!request.deadline || curve.enough) continue;
    const plan::Offer& best = curve.points[curve.fastest].offer;
    const std::string size =
        answer.sequence == 0 ? std::to_string(curve.samples) + " samples"
                             : human_count(static_cast<double>(curve.samples * answer.sequence)) + " tokens";
    lines.push_back(size + ": deadline is the tightest constraint; " + std::to_string(best.pool.nodes()) +
                    " machines are the fastest of " + std::to_string(request.most) + " and take " +
                    human(best.time) + " against " + human(*request.deadline));
  }
  return lines;
}

}  // namespace sextant::report
