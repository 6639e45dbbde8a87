#include "sextant/report/prediction_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace sextant::report {
namespace {

bool any(const std::vector<ask::Answer>& answers, bool (*has)(const ask::Answer&)) {
  return std::ranges::any_of(answers, has);
}

struct Present {
  bool machines, prices, totals, strategies;
};

std::vector<Column> columns(const Present& present) {
  std::vector<Column> all = {{"net", "net"}, {"gpu", "gpu"}};
  if (present.machines) all.push_back({"machine", "machine"});
  all.push_back({"count", "count"});
  if (present.strategies) {
    all.insert(all.end(), {{"placement", "placement"}, {"strategy", "strategy"}, {"layout", "layout"}});
  }
  all.insert(all.end(), {{"batch", "batch"},
                         {"iteration_s", "step"},
                         {"low_s", "90 % from"},
                         {"high_s", "to"},
                         {"samples_per_s", "samples/s"},
                         {"memory_bytes", "memory"},
                         {"gpu_memory_bytes", "of"},
                         {"fits", "fits"}});
  if (present.prices) all.push_back({"usd_per_hour", "price"});
  if (present.totals) all.push_back({"total_s", "total time"});
  if (present.totals && present.prices) all.push_back({"total_usd", "total cost"});
  return all;
}

// Rates get three digits on screen; files keep them all.
Cell rate_cell(double rate) {
  Cell cell(rate);
  const double rounded = rate >= 100 ? std::round(rate) : std::round(rate * 100) / 100;
  cell.shown = Cell(rounded).shown;
  return cell;
}

// A mark beside the interval says that the question lies outside what the model was fitted on.
Cell upper_end(const predict::Prediction& p) {
  Cell cell(p.interval.high);
  if (p.extrapolating) cell.shown += " *";
  return cell;
}

// Hundreds of digits tell nobody anything.
Cell placement_cell(const jobs::Placement& placement) {
  constexpr std::int64_t kReadable = 16;
  Cell cell(to_string(placement));
  if (placement.nodes() > kReadable) {
    cell.shown = std::to_string(placement.nodes()) + (placement.even() ? " x " : " x up to ") +
                 std::to_string(placement.fullest());
  }
  return cell;
}

std::vector<Cell> row(const ask::Answer& a, const Present& present) {
  std::vector<Cell> cells = {a.job.net, a.gpu};
  if (present.machines) cells.emplace_back(a.job.layout.machine);
  cells.emplace_back(a.job.layout.devices());
  if (present.strategies) {
    const predict::Prediction& p = a.prediction;
    cells.insert(cells.end(), {placement_cell(a.job.layout.placement), p.strategy, p.degrees});
  }
  cells.emplace_back(a.job.sizes.batch);
  Cell step(a.prediction.iteration);
  if (!a.prediction.interval.high) step.shown = ">= " + step.shown;
  cells.push_back(step);
  cells.emplace_back(a.prediction.interval.low);
  cells.push_back(upper_end(a.prediction));
  cells.push_back(rate_cell(a.samples_per_second()));
  cells.emplace_back(a.prediction.memory.total());
  cells.emplace_back(a.gpu_memory);
  cells.emplace_back(a.prediction.fits);
  if (present.prices) cells.emplace_back(a.price);
  if (present.totals) cells.emplace_back(a.total_time());
  if (present.totals && present.prices) cells.emplace_back(a.total_cost());
  return cells;
}

template <class Quantity>
Json value_or_null(const std::optional<Quantity>& quantity) {
  return quantity ? Json(quantity->value) : Json(nullptr);
}

Json memory_json(const predict::MemoryNeed& m) {
  return {{"weights_bytes", m.weights.value},     {"gradients_bytes", m.gradients.value},
          {"optimizer_bytes", m.optimizer.value}, {"activations_bytes", m.activations.value},
          {"workspace_bytes", m.workspace.value}, {"context_bytes", m.context.value}};
}

}  // namespace

Table answers_table(const std::vector<ask::Answer>& answers) {
  const Present present{
      .machines = any(answers, [](const ask::Answer& a) { return !a.job.layout.machine.empty(); }),
      .prices = any(answers, [](const ask::Answer& a) { return a.price.has_value(); }),
      .totals = any(answers, [](const ask::Answer& a) { return a.job.duration.has_value(); }),
      .strategies = any(answers, [](const ask::Answer& a) { return a.job.layout.devices() > 1; })};
  Table table;
  table.columns = columns(present);
  for (const auto& answer : answers) table.rows.push_back(row(answer, present));
  if (any(answers, [](const ask::Answer& a) { return !a.prediction.interval.high.has_value(); })) {
    table.notes.emplace_back(">= : a lower bound from peak rates; real steps take longer.");
  }
  if (any(answers, [](const ask::Answer& a) { return a.prediction.extrapolating; })) {
    table.notes.emplace_back("* : outside what the model was fitted on; the interval is wider.");
  }
  if (present.strategies) {
    table.notes.emplace_back("batch: samples of a step on each GPU; a step handles count x batch.");
  }
  if (any(answers, [](const ask::Answer& a) {
        return !a.job.layout.machine.empty() && a.job.layout.devices() == 1;
      })) {
    table.notes.emplace_back("One GPU of each machine works; the price is that of the whole machine.");
  }
  return table;
}

Json to_json(const ask::Answer& a) {
  const predict::Prediction& p = a.prediction;
  Json json = {{"schema", "sextant.prediction/1"}, {"net", a.job.net}, {"gpu", a.gpu}};
  if (!a.job.layout.machine.empty()) json["machine"] = a.job.layout.machine;
  json["count"] = a.job.layout.devices();
  json["nodes"] = a.job.layout.placement.nodes();
  json["placement"] = to_string(a.job.layout.placement);
  if (!p.strategy.empty()) {
    json["strategy"] = p.strategy;
    json["layout"] = p.degrees;
  }
  json["batch"] = a.job.sizes.batch;
  json["global_batch"] = a.step_samples();
  json["mode"] = to_string(a.job.mode);
  json["precision"] = to_string(a.job.precision);
  json["optimizer"] = to_string(a.job.optimizer);
  json["stack"] = a.job.stack;
  json["iteration_s"] = p.iteration.value;
  json["interval_s"] = {p.interval.low.value, value_or_null(p.interval.high)};
  json["breakdown"] = {{"compute_s", p.breakdown.compute.value},
                       {"communication_s", p.breakdown.communication.value},
                       {"input_s", p.breakdown.input.value},
                       {"overhead_s", p.breakdown.overhead.value}};
  json["memory_bytes"] = p.memory.total().value;
  json["memory"] = memory_json(p.memory);
  json["gpu_memory_bytes"] = a.gpu_memory.value;
  json["fits"] = p.fits;
  json["samples_per_s"] = a.samples_per_second();
  json["usd_per_hour"] = a.price ? Json((*a.price * kHour).value) : Json(nullptr);
  json["total_s"] = value_or_null(a.total_time());
  json["total_usd"] = value_or_null(a.total_cost());
  json["extrapolating"] = p.extrapolating;
  json["model"] = p.model;
  json["warnings"] = p.warnings;
  return json;
}

}  // namespace sextant::report
