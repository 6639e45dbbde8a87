#include "sextant/report/advice_report.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "advice_text.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::report {
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

std::vector<Cell> row(const plan::RankedOffer& r) {
  const plan::Offer& o = r.offer;
  Cell high = finite(o.time_high);
  if (o.step.extrapolating) high.shown += " *";
  Cell front(r.on_front);
  front.shown = r.on_front ? "front" : "";
  return {o.pool.machine, o.pool.nodes(),   o.pool.type,
          o.pool.gpus,    o.step.strategy,  o.step.degrees,
          o.global_batch, o.step.iteration, o.step.memory.total(),
          o.time,         o.time_low,       high,
          o.cost,         o.region,         front};
}

Json offer_json(const plan::RankedOffer& r) {
  const plan::Offer& o = r.offer;
  return {
      {"machine", o.pool.machine},
      {"machines", o.pool.nodes()},
      {"gpu", o.pool.type},
      {"gpus", o.pool.gpus},
      {"strategy", o.step.strategy},
      {"layout", o.step.degrees},
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

// What each strategy makes of the first offer: "data 198 ms, zero-1 199 ms; not tensor (shape: ...)".
std::string strategies_text(const std::vector<plan::StrategyVerdict>& verdicts) {
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

Json verdicts_json(const std::vector<plan::StrategyVerdict>& verdicts) {
  Json list = Json::array();
  for (const auto& v : verdicts) {
    list.push_back({{"strategy", v.strategy},
                    {"iteration_s", v.step ? Json(v.step->value) : Json()},
                    {"limit", v.limit ? Json(to_string(*v.limit)) : Json()},
                    {"reason", v.reason}});
  }
  return list;
}

Cell machines_cell(const plan::ScaleCurve& curve, const std::optional<std::size_t>& point) {
  return point ? Cell(curve.points[*point].offer.pool.nodes()) : Cell();
}

Cell share_cell(double share) {
  Cell cell(share);
  cell.shown = number_text(std::round(100 * share)) + " %";
  return cell;
}

}  // namespace

Table advice_table(const ask::AdviseAnswer& answer, std::size_t rows) {
  const plan::Advice& advice = answer.advice;
  Table table;
  table.columns = offer_columns();
  bool extrapolating = false;
  for (std::size_t i = 0; i < advice.ranked.size(); ++i) {
    const plan::RankedOffer& r = advice.ranked[i];
    if (rows != 0 && i >= rows && !r.on_front) continue;
    extrapolating = extrapolating || r.offer.step.extrapolating;
    table.rows.push_back(row(r));
  }
  table.notes.emplace_back(
      "front: no other offer is both faster and cheaper; batch: samples of a step, all GPUs.");
  if (extrapolating)
    table.notes.emplace_back("* : outside what the model was fitted on; the interval is wider.");
  const std::string reason = reason_text(advice);
  if (!reason.empty()) table.notes.push_back("First: " + reason + ".");
  for (const auto& line : caution_texts(advice)) table.notes.push_back("Mind: " + line + ".");
  for (const auto& line : change_texts(advice)) table.notes.push_back("Would change it: " + line + ".");
  if (!answer.strategies.empty())
    table.notes.push_back("Strategies on the first: " + strategies_text(answer.strategies) + ".");
  return table;
}

Json to_json(const ask::AdviseAnswer& answer) {
  const plan::Advice& advice = answer.advice;
  const plan::Offers& offers = answer.offers;
  Json json = {{"schema", "sextant.advice/1"}, {"configurations", offers.configurations}};
  json["offers"] = Json::array();
  for (const auto& r : advice.ranked) json["offers"].push_back(offer_json(r));
  json["reason"] = reason_text(advice);
  json["runner_up"] = advice.runner_up ? Json(*advice.runner_up) : Json();
  json["would_change"] = change_texts(advice);
  json["cautions"] = caution_texts(advice);
  json["refusals"] = Json::array();
  for (const auto& refusal : offers.refusals) {
    json["refusals"].push_back({{"limit", to_string(refusal.limit)},
                                {"configurations", refusal.configurations},
                                {"example", refusal.example}});
  }
  if (advice.tightest) {
    json["tightest"] = {{"constraint", advice.tightest->constraint},
                        {"factor", advice.tightest->factor},
                        {"sentence", tightest_text(advice)}};
  }
  json["strategies"] = verdicts_json(answer.strategies);
  return json;
}

FrontPlot front_plot(const plan::Advice& advice, const std::string& net) {
  FrontPlot plot{.title = net + ": time and cost of " + std::to_string(advice.ranked.size()) + " offers",
                 .points = {}};
  for (const auto& r : advice.ranked) {
    const std::string label = name_of(r.offer) + ": " + human(r.offer.time) + ", " + human(r.offer.cost);
    plot.points.push_back({r.offer.time / kHour, r.offer.cost.value, r.on_front, label});
  }
  return plot;
}

std::string nothing_fits_text(const plan::Advice& advice) {
  return advice.tightest->constraint + " is the tightest constraint; nearest: " + tightest_text(advice);
}

std::string refusals_text(const std::vector<plan::Refusal>& refusals) {
  std::vector<std::string> parts;
  for (const auto& refusal : refusals) {
    parts.push_back(to_string(refusal.limit) + " " + std::to_string(refusal.configurations) + " (" +
                    refusal.example + ")");
  }
  return join(parts, "; ");
}

Table scale_table(const ask::ScaleAnswers& answer) {
  const plan::ScaleRequest& request = answer.request;
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
  for (const plan::ScaleCurve& curve : answer.scale.curves) {
    if (curve.points.empty()) {
      table.rows.push_back({curve.samples, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}});
      continue;
    }
    const plan::ScalePoint& fastest = curve.points[curve.fastest];
    const std::optional<std::size_t> pays = curve.last_paying.value_or(curve.points.size() - 1);
    std::vector<Cell> cells(table.columns.size());
    cells[0] = curve.samples;
    if (const auto point = request.deadline ? curve.enough : pays) {
      const plan::ScalePoint& p = curve.points[*point];
      cells = {curve.samples,
               p.offer.pool.nodes(),
               p.offer.pool.gpus,
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
    cells[10] = fastest.offer.pool.nodes();
    cells[11] = fastest.offer.time;
    table.rows.push_back(std::move(cells));
  }
  table.notes.push_back("pays up to: a machine more adds less than " +
                        number_text(100 * request.least_efficiency) + " % of what the first did.");
  return table;
}

Table curve_table(const ask::ScaleAnswers& answer) {
  Table table;
  table.columns = {{"samples", "samples"},      {"machines", "machines"}, {"gpus", "GPUs"},
                   {"strategy", "strategy"},    {"layout", "layout"},     {"iteration_s", "step"},
                   {"total_s", "time"},         {"total_usd", "cost"},    {"speedup", "speed-up"},
                   {"efficiency", "efficiency"}};
  for (const plan::ScaleCurve& curve : answer.scale.curves) {
    for (const plan::ScalePoint& p : curve.points) {
      Cell speedup(p.speedup);
      speedup.shown = number_text(std::round(100 * p.speedup) / 100);
      table.rows.push_back({curve.samples, p.offer.pool.nodes(), p.offer.pool.gpus, p.offer.step.strategy,
                            p.offer.step.degrees, p.offer.step.iteration, p.offer.time, p.offer.cost, speedup,
                            share_cell(p.efficiency)});
    }
  }
  return table;
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
    lines.push_back(std::to_string(curve.samples) + " samples: deadline is the tightest constraint; " +
                    std::to_string(best.pool.nodes()) + " machines are the fastest of " +
                    std::to_string(request.most) + " and take " + human(best.time) + " against " +
                    human(*request.deadline));
  }
  return lines;
}

}  // namespace sextant::report
