// Recorded jobs: which model they allow, and what it and the replay answer.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "queue_cells.h"
#include "sextant/report/queue_report.h"

namespace sextant::report {
namespace {

Cell quantile_cell(const std::optional<queueing::TimeQuantiles>& quantiles,
                   Seconds queueing::TimeQuantiles::*which) {
  return quantiles ? Cell((*quantiles).*which) : Cell();
}

std::vector<Cell> model_row(const queueing::Diagnosis& d) {
  const queueing::QueueResult& r = d.result;
  Cell p95_wait = quantile_cell(r.waiting_quantiles, &queueing::TimeQuantiles::p95);
  if (r.waiting_quantiles && r.quantiles_standing == queueing::Standing::approximate)
    p95_wait.shown.insert(0, "~");
  return {r.model + (d.may_be_used ? "" : " (rough guide)"),
          r.load.servers,
          digits_cell(r.utilisation),
          unbounded_cell(r.waiting),
          p95_wait,
          unbounded_cell(r.response),
          quantile_cell(r.response_quantiles, &queueing::TimeQuantiles::p95)};
}

std::vector<Cell> replay_row(const queueing::Replay& r) {
  return {"replay",
          r.servers,
          digits_cell(r.utilisation),
          Cell(r.waiting),
          Cell(r.waiting_quantiles.p95),
          Cell(r.response),
          Cell(r.response_quantiles.p95)};
}

std::string interval_text(const stats::Interval& interval) {
  const auto end = [](double value) { return unbounded_cell(Seconds{std::max(value, 0.0)}).shown; };
  return "95 % interval of the mean wait " + end(interval.low) + " to " + end(interval.high);
}

std::string replay_note(const queueing::Replay& replay) {
  std::string note = "Replay: the " + std::to_string(replay.jobs) + " recorded jobs, first come first served";
  if (replay.waiting_interval_s) note += "; " + interval_text(*replay.waiting_interval_s);
  return note + ".";
}

void add_fits(Table& table, const char* what, const queueing::TimesDiagnosis& times) {
  for (const auto& fit : times.fits) {
    std::vector<Cell> cells = {what, to_string(fit.family)};
    cells.emplace_back(fit.fitted ? describe(*fit.fitted) : "not fitted: " + fit.failure);
    cells.push_back(fit.aic ? digits_cell(*fit.aic) : Cell());
    cells.push_back(fit.kolmogorov ? digits_cell(fit.kolmogorov->distance) : Cell());
    cells.push_back(fit.kolmogorov ? digits_cell(fit.kolmogorov->p) : Cell());
    cells.push_back(fit.chi_square ? digits_cell(fit.chi_square->p) : Cell());
    table.rows.push_back(std::move(cells));
  }
}

std::vector<Cell> tests_row(const char* what, const queueing::TimesDiagnosis& times) {
  return {what,
          static_cast<std::int64_t>(times.count),
          Cell(Seconds{times.mean_s}),
          digits_cell(times.scv),
          digits_cell(times.serial.correlation),
          digits_cell(times.serial.p),
          digits_cell(times.level.p),
          times.exponential,
          times.independent,
          times.steady};
}

Json fit_json(const queueing::FamilyFit& fit) {
  Json json = {{"family", to_string(fit.family)}};
  json["fitted"] = fit.fitted ? Json(describe(*fit.fitted)) : Json(nullptr);
  json["failure"] = fit.failure.empty() ? Json(nullptr) : Json(fit.failure);
  json["mean_s"] = fit.fitted ? number_or_null(mean(*fit.fitted)) : Json(nullptr);
  json["scv"] = fit.fitted ? number_or_null(scv(*fit.fitted)) : Json(nullptr);
  json["aic"] = fit.aic ? Json(*fit.aic) : Json(nullptr);
  json["kolmogorov"] = nullptr;
  if (fit.kolmogorov) json["kolmogorov"] = {{"distance", fit.kolmogorov->distance}, {"p", fit.kolmogorov->p}};
  json["chi_square"] = nullptr;
  if (fit.chi_square) {
    json["chi_square"] = {
        {"statistic", fit.chi_square->statistic}, {"df", fit.chi_square->df}, {"p", fit.chi_square->p}};
  }
  return json;
}

Json times_json(const queueing::TimesDiagnosis& times) {
  Json json = {{"count", times.count},
               {"tested", times.tested},
               {"mean_s", times.mean_s},
               {"scv", times.scv},
               {"tied_share", times.tied},
               {"exponential", times.exponential},
               {"independent", times.independent},
               {"steady", times.steady}};
  json["serial"] = {{"rank_correlation", times.serial.correlation}, {"p", times.serial.p}};
  json["level"] = {{"periods", times.level.periods},
                   {"statistic", times.level.statistic},
                   {"p", times.level.p},
                   {"share", times.level.share}};
  json["fits"] = Json::array();
  for (const auto& fit : times.fits) json["fits"].push_back(fit_json(fit));
  return json;
}

Json replay_json(const queueing::Replay& r) {
  Json json = {{"jobs", r.jobs},
               {"servers", r.servers},
               {"utilisation", r.utilisation},
               {"waiting_s", r.waiting.value},
               {"response_s", r.response.value}};
  json["waiting_interval_s"] = nullptr;
  if (r.waiting_interval_s) {
    json["waiting_interval_s"] = {r.waiting_interval_s->low, r.waiting_interval_s->high};
  }
  json["waiting_quantiles"] = quantiles_json(r.waiting_quantiles);
  json["response_quantiles"] = quantiles_json(r.response_quantiles);
  return json;
}

}  // namespace

Table diagnosis_table(const queueing::Diagnosis& diagnosis) {
  Table table;
  table.columns = {{"answer", "answer"},
                   {"servers", "servers"},
                   {"utilisation", "utilisation"},
                   {"waiting_s", "mean wait"},
                   {"waiting_p95_s", "p95 wait"},
                   {"response_s", "mean response"},
                   {"response_p95_s", "p95 response"}};
  table.rows = {model_row(diagnosis), replay_row(diagnosis.replay)};
  table.notes = {"Model: " + diagnosis.reason + "; " + interval_text(diagnosis.waiting_interval_s) + ".",
                 replay_note(diagnosis.replay)};
  return table;
}

Table fits_table(const queueing::Diagnosis& diagnosis) {
  Table table;
  table.columns = {{"times", "times"},    {"family", "family"}, {"fitted", "fitted, seconds"}, {"aic", "AIC"},
                   {"ks_distance", "KS"}, {"ks_p", "KS p"},     {"chi_square_p", "chi2 p"}};
  add_fits(table, "between arrivals", diagnosis.arrivals);
  add_fits(table, "service", diagnosis.services);
  return table;
}

Table tests_table(const queueing::Diagnosis& diagnosis) {
  Table table;
  table.columns = {{"times", "times"},
                   {"n", "n"},
                   {"mean_s", "mean"},
                   {"scv", "scv"},
                   {"rank_correlation", "rank corr."},
                   {"serial_p", "p"},
                   {"level_p", "level p"},
                   {"exponential", "exponential"},
                   {"independent", "independent"},
                   {"steady", "steady"}};
  table.rows = {tests_row("between arrivals", diagnosis.arrivals), tests_row("service", diagnosis.services)};
  return table;
}

Json to_json(const queueing::Diagnosis& diagnosis) {
  Json json = {{"schema", "sextant.queue-records/1"},
               {"may_be_used", diagnosis.may_be_used},
               {"reason", diagnosis.reason}};
  json["result"] = to_json(diagnosis.result);
  json["waiting_interval_s"] = {number_or_null(diagnosis.waiting_interval_s.low),
                                number_or_null(diagnosis.waiting_interval_s.high)};
  json["replay"] = replay_json(diagnosis.replay);
  json["arrivals"] = times_json(diagnosis.arrivals);
  json["services"] = times_json(diagnosis.services);
  json["warnings"] = diagnosis.warnings;
  return json;
}

}  // namespace sextant::report
