#include "sextant/report/collective_report.h"

#include <algorithm>
#include <cmath>

#include "sextant/core/text.h"

namespace sextant::report {
namespace {

using ask::AlgorithmRow;
using ask::CollectiveRow;
using collectives::Calibration;
using enum Importance;

template <class Row>
Fields<Row> collective_question_fields() {
  return {
      {"system", "system", [](const Row& r) { return Cell(r.system); }, identity},
      {"collective", "collective", [](const Row& r) { return Cell(to_string(r.question.collective)); },
       identity},
      {"num_gpus", "GPUs", [](const Row& r) { return Cell(r.question.gpus); }, identity},
      {"num_nodes", "nodes", [](const Row& r) { return Cell(r.question.nodes); }, identity},
      {"bytes", "size", [](const Row& r) { return Cell(r.question.bytes); }, identity},
  };
}

Fields<CollectiveRow> collective_time_fields() {
  return {
      {"time_s", "time", [](const CollectiveRow& r) { return Cell(r.estimate.time); }, essential},
      {"low_s", "90 % low", [](const CollectiveRow& r) { return Cell(r.estimate.low); }, essential},
      {"high_s", "90 % high", [](const CollectiveRow& r) { return Cell(r.estimate.high); }, essential},
      {"algorithm", "algorithm",
       [](const CollectiveRow& r) { return Cell(to_string(r.estimate.algorithm)); }},
      {"protocol", "protocol", [](const CollectiveRow& r) { return Cell(r.estimate.protocol); }},
      {"bus_bytes_per_s", "bus", [](const CollectiveRow& r) { return Cell(r.estimate.bus); }},
      {"latency_s", "latency", [](const CollectiveRow& r) { return Cell(r.estimate.latency); }},
      {"transfer_s", "transfer", [](const CollectiveRow& r) { return Cell(r.estimate.transfer); }},
  };
}

Fields<AlgorithmRow> collective_algorithm_fields() {
  return {
      {"algorithm", "algorithm", [](const AlgorithmRow& r) { return Cell(to_string(r.cost.algorithm)); },
       identity},
      {"time_s", "time", [](const AlgorithmRow& r) { return Cell(r.cost.total()); }, essential},
      {"latency_s", "latency", [](const AlgorithmRow& r) { return Cell(r.cost.latency); }},
      {"transfer_s", "transfer", [](const AlgorithmRow& r) { return Cell(r.cost.transfer); }},
  };
}

std::string width_percent(double log_width) {
  return std::to_string(std::lround(100 * std::expm1(log_width))) + " %";
}

// Exact in files, whole per cents on screen.
Cell share(double value) {
  Cell cell(value);
  cell.shown = std::to_string(std::lround(100 * value)) + " %";
  return cell;
}

struct Wire {
  std::string name;
  const collectives::WireCoefficients& fitted;
};

Fields<Wire> wire_fields() {
  return {
      {"wire", "wire", [](const Wire& w) { return Cell(w.name); }, identity},
      {"efficiency", "efficiency", [](const Wire& w) { return share(w.fitted.efficiency); }},
      {"start_s", "start", [](const Wire& w) { return Cell(Seconds{w.fitted.start}); }},
      {"step_s", "step", [](const Wire& w) { return Cell(Seconds{w.fitted.step}); }},
      {"quick_efficiency", "quick", [](const Wire& w) { return share(w.fitted.quick_efficiency); }},
      {"quick_start_s", "start", [](const Wire& w) { return Cell(Seconds{w.fitted.quick_start}); }},
      {"quick_step_s", "step", [](const Wire& w) { return Cell(Seconds{w.fitted.quick_step}); }},
  };
}

// How wide 90 % intervals are, by what the calibration knows of a system.
struct IntervalWidths {
  std::string known;
  double collectives = 0;  // above the prediction, of log time beyond the launch
  double messages = 0;
};

std::vector<IntervalWidths> widths_of(const Calibration& calibration) {
  std::vector<IntervalWidths> widths;
  for (std::size_t i = 0; i < collectives::kKnown.size(); ++i) {
    widths.push_back({collectives::kKnown.at(i), calibration.collective_widths.at(i).above,
                      calibration.message_widths.at(i).above});
  }
  return widths;
}

Fields<IntervalWidths> interval_width_fields() {
  return {
      {"known", "known", [](const IntervalWidths& w) { return Cell(w.known); }},
      {"collectives", "collectives", [](const IntervalWidths& w) { return Cell(std::expm1(w.collectives)); }},
      {"messages", "messages", [](const IntervalWidths& w) { return Cell(std::expm1(w.messages)); }},
  };
}

std::string widths_note(const char* what, const std::vector<IntervalWidths>& widths,
                        double IntervalWidths::*width) {
  std::vector<std::string> parts;
  for (const IntervalWidths& each : widths) parts.push_back(each.known + " " + width_percent(each.*width));
  return std::string("90 % intervals of ") + what + ", above the launch time: " + join(parts, ", ");
}

Fields<Calibration> calibration_fields() {
  return {
      {"rows", "", [](const Calibration& c) { return Cell(static_cast<std::int64_t>(c.rows)); }},
      {"systems", "", [](const Calibration& c) { return Cell(static_cast<std::int64_t>(c.systems.size())); }},
      {"placements", "",
       [](const Calibration& c) { return Cell(static_cast<std::int64_t>(c.placements.size())); }},
  };
}

Fields<collectives::CollectiveAnswer> collective_answer_fields() {
  using collectives::CollectiveAnswer;
  using collectives::CollectiveEstimate;
  using E = const CollectiveEstimate&;
  const Fields<CollectiveEstimate> times = {
      {"predicted_s", "time", [](E e) { return Cell(e.time); }, essential},
      {"low_s", "90 % low", [](E e) { return Cell(e.low); }, essential},
      {"high_s", "90 % high", [](E e) { return Cell(e.high); }, essential},
      {"latency_s", "latency", [](E e) { return Cell(e.latency); }},
      {"transfer_s", "transfer", [](E e) { return Cell(e.transfer); }},
  };
  const auto answered = [](const CollectiveAnswer& a) { return a.error.empty() ? &a.estimate : nullptr; };
  const Field<CollectiveAnswer> error = {
      "error", "error", [](const CollectiveAnswer& a) { return a.error.empty() ? Cell() : Cell(a.error); },
      essential};
  return joined(
      {of_part<CollectiveAnswer, CollectiveEstimate>(times, answered), Fields<CollectiveAnswer>{error}});
}

}  // namespace

Result collective_result(const ask::CollectiveTimes& times) {
  if (!times.algorithms.empty()) {
    const auto fields = joined({collective_question_fields<AlgorithmRow>(), collective_algorithm_fields()});
    return {.schema = "sextant.collective-algorithms/1",
            .sections = {{.key = "algorithms", .table = table_of(fields, times.algorithms)}}};
  }
  const Fields<CollectiveRow> fields =
      explained(joined({collective_question_fields<CollectiveRow>(), collective_time_fields()}),
                {{"bus_bytes_per_s", "bandwidth as NCCL's tests count it, of the slowest link"}});
  Table table = table_of(fields, times.rows);
  const auto unseen = [](const CollectiveRow& row) {
    return row.estimate.known == collectives::Known::nothing && row.question.gpus > 1;
  };
  if (std::ranges::any_of(times.rows, unseen))
    table.notes.emplace_back(
        "Some of these collectives were never timed on such a system; their intervals are as wide as the "
        "errors on "
        "systems that were left out of the calibration.");
  return {.schema = "sextant.collective-times/1",
          .sections = {{.key = "collectives", .table = std::move(table)}}};
}

Result collective_fit_result(const Calibration& calibration) {
  std::vector<Wire> wires;
  for (std::size_t i = 0; i < collectives::kWires.size(); ++i) {
    wires.push_back({collectives::kWires.at(i), calibration.wires.at(i)});
  }
  const std::vector<IntervalWidths> widths = widths_of(calibration);
  Table table = table_of(wire_fields(), wires);
  table.notes = {std::to_string(calibration.rows) + " rows, " + std::to_string(calibration.systems.size()) +
                     " systems, " + std::to_string(calibration.placements.size()) + " placements",
                 widths_note("collectives", widths, &IntervalWidths::collectives),
                 widths_note("messages", widths, &IntervalWidths::messages)};
  return {.schema = "sextant.fit-collective/1",
          .sections = {{.key = "wires", .table = std::move(table)},
                       {.key = "interval_widths",
                        .table = table_of(interval_width_fields(), widths),
                        .shown = false}},
          .facts = facts_of(calibration_fields(), calibration)};
}

AnsweredCases collective_case_answers(const CsvTable& table,
                                      const std::vector<collectives::CollectiveAnswer>& answers) {
  AnsweredCases all = answered<collectives::CollectiveAnswer>(table, collective_answer_fields(), answers,
                                                              [](std::size_t row) { return row; });
  all.schema = "sextant.collective-cases/1";
  return all;
}

}  // namespace sextant::report
