// Recorded jobs: which model they allow, and what it and the replay answer.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "queue_cells.h"

namespace sextant::report {
namespace {

using queueing::Diagnosis;
using queueing::FamilyFit;
using queueing::TimeQuantiles;
using queueing::TimesDiagnosis;
using enum Importance;

// What the model says, or the replay of the jobs.
struct RecordedAnswer {
  std::string name;
  std::int64_t servers = 0;
  double utilisation = 0;
  Seconds waiting;
  Cell waiting_p95;
  std::optional<stats::Interval> waiting_interval_s;
  Seconds response;
  std::optional<TimeQuantiles> waiting_quantiles;
  std::optional<TimeQuantiles> response_quantiles;
};

RecordedAnswer model_answer(const Diagnosis& d) {
  const queueing::QueueResult& r = d.result;
  return {.name = r.model + (d.may_be_used ? "" : " (rough guide)"),
          .servers = r.load.servers,
          .utilisation = r.utilisation,
          .waiting = r.waiting,
          .waiting_p95 = waiting_p95_cell(r),
          .waiting_interval_s = d.waiting_interval_s,
          .response = r.response,
          .waiting_quantiles = r.waiting_quantiles,
          .response_quantiles = r.response_quantiles};
}

RecordedAnswer replay_answer(const queueing::Replay& r) {
  return {.name = "replay",
          .servers = r.servers,
          .utilisation = r.utilisation,
          .waiting = r.waiting,
          .waiting_p95 = Cell(r.waiting_quantiles.p95),
          .waiting_interval_s = r.waiting_interval_s,
          .response = r.response,
          .waiting_quantiles = r.waiting_quantiles,
          .response_quantiles = r.response_quantiles};
}

Field<RecordedAnswer> answer_quantile(std::string key,
                                      std::optional<TimeQuantiles> RecordedAnswer::*quantiles,
                                      Seconds TimeQuantiles::*which) {
  return {std::move(key), "", [=](const RecordedAnswer& a) { return quantile_cell(a.*quantiles, which); },
          detail};
}

Cell interval_end(const RecordedAnswer& answer, double stats::Interval::*end) {
  return answer.waiting_interval_s ? Cell(Seconds{(*answer.waiting_interval_s).*end}) : Cell();
}

Fields<RecordedAnswer> recorded_fields() {
  using A = const RecordedAnswer&;
  const auto waiting = &RecordedAnswer::waiting_quantiles;
  const auto response = &RecordedAnswer::response_quantiles;
  return {
      {"answer", "answer", [](A a) { return Cell(a.name); }, identity},
      {"servers", "servers", [](A a) { return Cell(a.servers); }, identity},
      {"utilisation", "utilisation", [](A a) { return digits_cell(a.utilisation); }},
      {"waiting_s", "mean wait", [](A a) { return unbounded_cell(a.waiting); }, essential},
      {"waiting_low_s", "", [](A a) { return interval_end(a, &stats::Interval::low); }, detail},
      {"waiting_high_s", "", [](A a) { return interval_end(a, &stats::Interval::high); }, detail},
      answer_quantile("waiting_p50_s", waiting, &TimeQuantiles::p50),
      answer_quantile("waiting_p90_s", waiting, &TimeQuantiles::p90),
      {"waiting_p95_s", "p95 wait", [](A a) { return a.waiting_p95; }, essential},
      answer_quantile("waiting_p99_s", waiting, &TimeQuantiles::p99),
      {"response_s", "mean response", [](A a) { return unbounded_cell(a.response); }},
      answer_quantile("response_p50_s", response, &TimeQuantiles::p50),
      answer_quantile("response_p90_s", response, &TimeQuantiles::p90),
      {"response_p95_s", "p95 response",
       [](A a) { return quantile_cell(a.response_quantiles, &TimeQuantiles::p95); }},
      answer_quantile("response_p99_s", response, &TimeQuantiles::p99),
  };
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

Table answers_table(const ask::RecordedQueue& recorded) {
  const Diagnosis& d = recorded.diagnosis;
  Table table = table_of(recorded_fields(), std::vector{model_answer(d), replay_answer(d.replay)});
  table.notes = {"Model: " + d.reason + "; " + interval_text(d.waiting_interval_s) + ".",
                 replay_note(d.replay)};
  if (recorded.sizing) table.notes.push_back(sizing_note(*recorded.sizing));
  table.marks = {approximate_mark()};
  return table;
}

struct FitRow {
  const char* times;
  const FamilyFit& fit;
};

Cell fitted_cell(const FamilyFit& fit) {
  if (fit.fitted) return describe(*fit.fitted);
  Cell cell;
  cell.shown = "not fitted: " + fit.failure;
  return cell;
}

template <class Test>
Cell test_cell(const std::optional<Test>& test, double Test::*number) {
  return test ? digits_cell((*test).*number) : Cell();
}

Table fits_table(const Diagnosis& diagnosis) {
  using R = const FitRow&;
  using queueing::KolmogorovTest;
  using stats::ChiSquareTest;
  const Fields<FitRow> fields = {
      {"times", "times", [](R r) { return Cell(r.times); }, identity},
      {"family", "family", [](R r) { return Cell(to_string(r.fit.family)); }, identity},
      {"fitted", "fitted, seconds", [](R r) { return fitted_cell(r.fit); }, essential},
      {"failure", "", [](R r) { return r.fit.failure.empty() ? Cell() : Cell(r.fit.failure); }, detail},
      {"mean_s", "", [](R r) { return r.fit.fitted ? Cell(Seconds{mean(*r.fit.fitted)}) : Cell(); }, detail},
      {"scv", "", [](R r) { return r.fit.fitted ? Cell(scv(*r.fit.fitted)) : Cell(); }, detail},
      {"aic", "AIC", [](R r) { return r.fit.aic ? digits_cell(*r.fit.aic) : Cell(); }},
      {"kolmogorov.distance", "KS",
       [](R r) { return test_cell(r.fit.kolmogorov, &KolmogorovTest::distance); }},
      {"kolmogorov.p", "KS p", [](R r) { return test_cell(r.fit.kolmogorov, &KolmogorovTest::p); }},
      {"chi_square.statistic", "", [](R r) { return test_cell(r.fit.chi_square, &ChiSquareTest::statistic); },
       detail},
      {"chi_square.df", "", [](R r) { return test_cell(r.fit.chi_square, &ChiSquareTest::df); }, detail},
      {"chi_square.p", "chi2 p", [](R r) { return test_cell(r.fit.chi_square, &ChiSquareTest::p); }},
  };
  std::vector<FitRow> rows;
  for (const FamilyFit& fit : diagnosis.arrivals.fits) rows.push_back({"between arrivals", fit});
  for (const FamilyFit& fit : diagnosis.services.fits) rows.push_back({"service", fit});
  return table_of(
      explained(
          fields,
          {{"aic", "Akaike's criterion; of two families the one with the lower value fits better"},
           {"kolmogorov.distance", "largest distance of the two distribution functions (Kolmogorov-Smirnov)"},
           {"kolmogorov.p", "chance of data that fit no better, if the family were right"},
           {"chi_square.p", "chance of data that fit no better, if the family were right"}}),
      rows);
}

struct TimesRow {
  const char* name;
  const TimesDiagnosis& times;
};

Table times_table(const Diagnosis& diagnosis) {
  using R = const TimesRow&;
  const auto whole = [](std::size_t n) { return Cell(static_cast<std::int64_t>(n)); };
  const Fields<TimesRow> fields = {
      {"times", "times", [](R r) { return Cell(r.name); }, identity},
      {"count", "n", [whole](R r) { return whole(r.times.count); }},
      {"tested", "", [whole](R r) { return whole(r.times.tested); }, detail},
      {"mean_s", "mean", [](R r) { return Cell(Seconds{r.times.mean_s}); }},
      {"scv", "scv", [](R r) { return digits_cell(r.times.scv); }},
      {"tied_share", "", [](R r) { return Cell(r.times.tied); }, detail},
      {"serial.rank_correlation", "rank corr.", [](R r) { return digits_cell(r.times.serial.correlation); }},
      {"serial.p", "p", [](R r) { return digits_cell(r.times.serial.p); }},
      {"level.periods", "", [whole](R r) { return whole(r.times.level.periods); }, detail},
      {"level.statistic", "", [](R r) { return Cell(r.times.level.statistic); }, detail},
      {"level.p", "level p", [](R r) { return digits_cell(r.times.level.p); }},
      {"level.share", "", [](R r) { return Cell(r.times.level.share); }, detail},
      {"exponential", "exponential", [](R r) { return Cell(r.times.exponential); }, essential},
      {"independent", "independent", [](R r) { return Cell(r.times.independent); }, essential},
      {"steady", "steady", [](R r) { return Cell(r.times.steady); }, essential},
  };
  return table_of(
      explained(fields, {{"scv", kScvLegend},
                         {"serial.rank_correlation", "of each time with the next; 0 is independent"}}),
      std::vector<TimesRow>{{"between arrivals", diagnosis.arrivals}, {"service", diagnosis.services}});
}

Fields<ask::RecordedQueue> record_facts() {
  using R = const ask::RecordedQueue&;
  return {
      {"may_be_used", "may be used", [](R r) { return Cell(r.diagnosis.may_be_used); }},
      {"reason", "reason", [](R r) { return Cell(r.diagnosis.reason); }},
      {"jobs", "jobs", [](R r) { return Cell(static_cast<std::int64_t>(r.diagnosis.replay.jobs)); }},
      {"sizing.feasible", "", [](R r) { return r.sizing ? Cell(r.sizing->feasible) : Cell(); }, detail},
      {"sizing.tightest", "", [](R r) { return r.sizing ? Cell(r.sizing->tightest) : Cell(); }, detail},
      {"warnings", "", [](R r) { return Cell::nested(r.diagnosis.warnings); }, detail},
  };
}

}  // namespace

// People read the answer under what it rests on.
Result records_result(const ask::RecordedQueue& recorded) {
  const Table answers = answers_table(recorded);
  return {.schema = "sextant.queue-records/2",
          .sections = {{.key = "answers", .table = answers, .shown = false},
                       {.key = "fits", .table = fits_table(recorded.diagnosis)},
                       {.key = "times", .table = times_table(recorded.diagnosis)},
                       {.key = "model", .table = queues_table({recorded.diagnosis.result}), .shown = false},
                       {.table = answers}},
          .facts = facts_of(record_facts(), recorded)};
}

}  // namespace sextant::report
