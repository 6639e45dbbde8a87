#include "sextant/report/advice_report.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant {
namespace {

std::vector<Column> offer_columns() {
  return {{"machine", "machine"},    {"machines", "machines"}, {"gpu", "gpu"},
          {"gpus", "GPUs"},          {"strategy", "strategy"}, {"layout", "layout"},
          {"global_batch", "batch"}, {"iteration_s", "step"},  {"memory_bytes", "memory"},
          {"total_s", "time"},       {"low_s", "90 % from"},   {"high_s", "to"},
          {"total_usd", "cost"},     {"region", "region"},     {"pareto", "front"}};
}

Cell finite(Seconds seconds) {
  return std::isfinite(seconds.value) ? Cell(seconds) : Cell();
}

std::vector<Cell> row(const RankedOffer& r) {
  const Offer& o = r.offer;
  Cell high = finite(o.time_high);
  if (o.step.extrapolating) high.shown += " *";
  Cell front(r.on_front);
  front.shown = r.on_front ? "front" : "";
  return {o.machine->id,  o.machines,       o.machine->gpu,
          o.gpus(),       o.step.strategy,  o.step.layout,
          o.global_batch, o.step.iteration, o.step.memory.total(),
          o.time,         o.time_low,       high,
          o.cost,         o.region,         front};
}

Json to_json(const RankedOffer& r) {
  const Offer& o = r.offer;
  return {
      {"machine", o.machine->id},
      {"machines", o.machines},
      {"gpu", o.machine->gpu},
      {"gpus", o.gpus()},
      {"strategy", o.step.strategy},
      {"layout", o.step.layout},
      {"global_batch", o.global_batch},
      {"region", o.region},
      {"usd_per_hour", (o.price * kHour).value},
      {"iteration_s", o.step.iteration.value},
      {"compute_s", o.step.breakdown.compute.value},
      {"communication_s", o.step.breakdown.communication.value},
      {"memory_bytes", o.step.memory.total().value},
      {"total_s", o.time.value},
      {"interval_s", {o.time_low.value, std::isfinite(o.time_high.value) ? Json(o.time_high.value) : Json()}},
      {"total_usd", o.cost.value},
      {"extrapolating", o.step.extrapolating},
      {"pareto", r.on_front}};
}

Cell machines_cell(const ScaleCurve& curve, const std::optional<std::size_t>& point) {
  return point ? Cell(curve.points[*point].offer.machines) : Cell();
}

Cell share_cell(double share) {
  Cell cell(share);
  cell.shown = number_text(std::round(100 * share)) + " %";
  return cell;
}

}  // namespace

Table advice_table(const Advice& advice, std::size_t rows) {
  Table table;
  table.columns = offer_columns();
  bool extrapolating = false;
  for (std::size_t i = 0; i < advice.ranked.size(); ++i) {
    const RankedOffer& r = advice.ranked[i];
    if (rows != 0 && i >= rows && !r.on_front) continue;
    extrapolating = extrapolating || r.offer.step.extrapolating;
    table.rows.push_back(row(r));
  }
  table.notes.emplace_back(
      "front: no other offer is both faster and cheaper; batch: samples of a step, all GPUs.");
  if (extrapolating)
    table.notes.emplace_back("* : outside what the model was fitted on; the interval is wider.");
  if (!advice.reason.empty()) table.notes.push_back("First: " + advice.reason + ".");
  for (const auto& line : advice.cautions) table.notes.push_back("Mind: " + line + ".");
  for (const auto& line : advice.would_change) table.notes.push_back("Would change it: " + line + ".");
  return table;
}

Json to_json(const Advice& advice, const Offers& offers) {
  Json json = {{"schema", "sextant.advice/1"}, {"configurations", offers.configurations}};
  json["offers"] = Json::array();
  for (const auto& r : advice.ranked) json["offers"].push_back(to_json(r));
  json["reason"] = advice.reason;
  json["runner_up"] = advice.runner_up ? Json(*advice.runner_up) : Json();
  json["would_change"] = advice.would_change;
  json["cautions"] = advice.cautions;
  json["refusals"] = Json::array();
  for (const auto& refusal : offers.refusals) {
    json["refusals"].push_back({{"limit", to_string(refusal.limit)},
                                {"configurations", refusal.configurations},
                                {"example", refusal.example}});
  }
  if (advice.tightest) {
    json["tightest"] = {{"constraint", advice.tightest->constraint},
                        {"factor", advice.tightest->factor},
                        {"sentence", advice.tightest->sentence}};
  }
  return json;
}

std::string strategies_text(const std::vector<StrategyVerdict>& verdicts) {
  std::vector<std::string> possible;
  std::vector<std::string> impossible;
  for (const auto& v : verdicts) {
    if (!v.limit) {
      possible.push_back(v.strategy + " " + human(*v.step));
    } else {
      impossible.push_back(v.strategy + " (" + to_string(*v.limit) + ": " + v.reason + ")");
    }
  }
  return join(possible, ", ") + (impossible.empty() ? "" : "; not " + join(impossible, ", "));
}

Json to_json(const std::vector<StrategyVerdict>& verdicts) {
  Json list = Json::array();
  for (const auto& v : verdicts) {
    list.push_back({{"strategy", v.strategy},
                    {"iteration_s", v.step ? Json(v.step->value) : Json()},
                    {"limit", v.limit ? Json(to_string(*v.limit)) : Json()},
                    {"reason", v.reason}});
  }
  return list;
}

std::string refusals_text(const std::vector<Refusal>& refusals) {
  std::vector<std::string> parts;
  for (const auto& refusal : refusals) {
    parts.push_back(to_string(refusal.limit) + " " + std::to_string(refusal.configurations) + " (" +
                    refusal.example + ")");
  }
  return join(parts, "; ");
}

Table scale_table(const ScaleAnswer& answer, const ScaleRequest& request) {
  Table table;
  table.columns = {{"samples", "samples"},
                   {"machines", "machines"},
                   {"gpus", "GPUs"},
                   {"strategy", "strategy"},
                   {"total_s", "time"},
                   {"low_s", "90 % from"},
                   {"high_s", "to"},
                   {"total_usd", "cost"},
                   {"efficiency", "efficiency"},
                   {"pays_up_to", "pays up to"},
                   {"fastest_with", "fastest with"},
                   {"fastest_s", "then"}};
  for (const ScaleCurve& curve : answer.curves) {
    if (curve.points.empty()) {
      table.rows.push_back({curve.samples, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}});
      continue;
    }
    const ScalePoint& fastest = curve.points[curve.fastest];
    const std::optional<std::size_t> pays = curve.last_paying.value_or(curve.points.size() - 1);
    std::vector<Cell> cells(table.columns.size());
    cells[0] = curve.samples;
    if (const auto point = request.deadline ? curve.enough : pays) {
      const ScalePoint& p = curve.points[*point];
      cells = {curve.samples,
               p.offer.machines,
               p.offer.gpus(),
               p.offer.step.strategy,
               p.offer.time,
               p.offer.time_low,
               finite(p.offer.time_high),
               p.offer.cost,
               share_cell(p.efficiency),
               {},
               {},
               {}};
    }
    cells[9] = machines_cell(curve, pays);
    cells[10] = fastest.offer.machines;
    cells[11] = fastest.offer.time;
    table.rows.push_back(std::move(cells));
  }
  table.notes.push_back("pays up to: a machine more adds less than " +
                        number_text(100 * request.least_efficiency) + " % of what the first did.");
  return table;
}

Table curve_table(const ScaleAnswer& answer) {
  Table table;
  table.columns = {{"samples", "samples"},      {"machines", "machines"}, {"gpus", "GPUs"},
                   {"strategy", "strategy"},    {"layout", "layout"},     {"iteration_s", "step"},
                   {"total_s", "time"},         {"total_usd", "cost"},    {"speedup", "speed-up"},
                   {"efficiency", "efficiency"}};
  for (const ScaleCurve& curve : answer.curves) {
    for (const ScalePoint& p : curve.points) {
      Cell speedup(p.speedup);
      speedup.shown = number_text(std::round(100 * p.speedup) / 100);
      table.rows.push_back({curve.samples, p.offer.machines, p.offer.gpus(), p.offer.step.strategy,
                            p.offer.step.layout, p.offer.step.iteration, p.offer.time, p.offer.cost, speedup,
                            share_cell(p.efficiency)});
    }
  }
  return table;
}

}  // namespace sextant
