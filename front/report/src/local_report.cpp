#include "sextant/report/local_report.h"

#include <cmath>
#include <map>
#include <numeric>

namespace sextant::report {
namespace {

using calibrate::AccuracyRow;
using calibrate::LocalCalibration;
using calibrate::TransferRow;
using enum Importance;

// Of log time, as the larger of the two sides, relative.
double side(double half_width) {
  return std::exp(half_width) - 1;
}

std::string error_percent(double share) {
  return percent_words(share);
}

Fields<LocalCalibration> local_calibration_fields() {
  const auto count = [](std::size_t n) { return Cell(static_cast<std::int64_t>(n)); };
  return {
      {"device", "device", [](const LocalCalibration& c) { return Cell(c.gpu.id); }, identity},
      {"threads", "threads", [](const LocalCalibration& c) { return Cell(c.device.threads); }},
      {"networks", "networks", [=](const LocalCalibration& c) { return count(c.networks); }},
      {"operators", "operators", [=](const LocalCalibration& c) { return count(c.operators); }},
      {"steps", "steps", [=](const LocalCalibration& c) { return count(c.steps); }},
      {"mean_error", "error on networks left out",
       [](const LocalCalibration& c) { return percent_cell(c.device.mean_error); }, essential},
      {"half_width", "90 % within",
       [](const LocalCalibration& c) { return percent_cell(side(c.device.half_width)); }, essential},
      {"seconds", "took", [](const LocalCalibration& c) { return Cell(Seconds{c.seconds}); }},
      {"catalog", "catalogue", [](const LocalCalibration& c) { return Cell(c.catalog_file.string()); }},
      {"calibration", "", [](const LocalCalibration& c) { return Cell(c.calibration_file.string()); },
       detail},
      {"records", "", [](const LocalCalibration& c) { return Cell(c.records_file.string()); }, detail},
      {"interrupted", "", [](const LocalCalibration& c) { return Cell(c.interrupted); }, detail},
  };
}

Fields<AccuracyRow> step_accuracy_fields() {
  return {
      {"net", "net", [](const AccuracyRow& r) { return Cell(r.job.net); }, identity},
      {"batch", "batch", [](const AccuracyRow& r) { return Cell(r.job.sizes.batch); }, identity},
      {"image", "image",
       [](const AccuracyRow& r) { return r.job.sizes.image ? Cell(*r.job.sizes.image) : Cell(); }, identity},
      {"measured_s", "measured", [](const AccuracyRow& r) { return Cell(Seconds{r.measured_s}); }, essential},
      {"predicted_s", "predicted", [](const AccuracyRow& r) { return Cell(Seconds{r.predicted_s}); },
       essential},
      {"error", "error", [](const AccuracyRow& r) { return percent_cell(r.error()); }, essential},
      {"inside", "in interval", [](const AccuracyRow& r) { return Cell(r.inside); }},
      {"extrapolating", "outside fit", [](const AccuracyRow& r) { return Cell(r.extrapolating); }},
  };
}

Fields<calibrate::ErrorMeans> error_mean_fields() {
  using calibrate::ErrorMeans;
  return {
      {"mean_error", "", [](const ErrorMeans& m) { return Cell(m.rows); }},
      {"mean_error_of_networks", "", [](const ErrorMeans& m) { return Cell(m.networks); }},
      {"coverage", "", [](const ErrorMeans& m) { return Cell(m.inside); }},
  };
}

double transfer_error(const TransferRow& row) {
  return row.predicted_s / row.measured_s - 1;
}

Fields<TransferRow> layer_transfer_fields() {
  return {
      {"fitted_on", "fitted on", [](const TransferRow& r) { return Cell(r.fitted_on); }, identity},
      {"asked", "asked", [](const TransferRow& r) { return Cell(r.asked); }, identity},
      {"batch", "batch", [](const TransferRow& r) { return Cell(r.batch); }, identity},
      {"measured_s", "measured", [](const TransferRow& r) { return Cell(Seconds{r.measured_s}); }},
      {"predicted_s", "predicted", [](const TransferRow& r) { return Cell(Seconds{r.predicted_s}); }},
      {"error", "error", [](const TransferRow& r) { return percent_cell(transfer_error(r)); }, essential},
  };
}

struct NetworkError {
  std::string fitted_on;
  double mean = 0;
};

std::vector<NetworkError> mean_errors(const std::vector<TransferRow>& rows) {
  std::map<std::string, std::vector<double>> errors;
  for (const TransferRow& row : rows) errors[row.fitted_on].push_back(std::abs(transfer_error(row)));
  std::vector<NetworkError> means;
  for (const auto& [net, values] : errors) {
    means.push_back(
        {net, std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size())});
  }
  return means;
}

Fields<NetworkError> network_error_fields() {
  return {
      {"fitted_on", "fitted on", [](const NetworkError& e) { return Cell(e.fitted_on); }, identity},
      {"mean_error", "mean error", [](const NetworkError& e) { return percent_cell(e.mean); }},
  };
}

}  // namespace

Result calibration_result(const LocalCalibration& c) {
  Result result{.schema = "sextant.calibration/1", .facts = facts_of(local_calibration_fields(), c)};
  result.facts.notes = {"Predictions for it: sextant predict NET --gpu " + c.gpu.id +
                        ". The timed operators are in " + c.records_file.string()};
  return result;
}

Result local_accuracy_result(const std::vector<AccuracyRow>& rows) {
  Result result{.schema = "sextant.calibration-check/1",
                .sections = {{.key = "steps", .table = table_of(step_accuracy_fields(), rows)}}};
  if (rows.empty()) return result;
  const calibrate::ErrorMeans means = error_means(rows);
  result.facts = facts_of(error_mean_fields(), means);
  result.sections[0].table.notes = {"mean error " + error_percent(means.rows) + " over rows, " +
                                    error_percent(means.networks) + " over networks; " +
                                    error_percent(means.inside) + " of the steps lie in their 90 % interval"};
  return result;
}

Result transfer_result(const std::vector<TransferRow>& rows) {
  const std::vector<NetworkError> means = mean_errors(rows);
  Table table = table_of(layer_transfer_fields(), rows);
  for (const NetworkError& each : means) {
    table.notes.push_back("fitted on " + each.fitted_on + ": mean error " + error_percent(each.mean));
  }
  return {.schema = "sextant.per-layer-transfer/1",
          .sections = {{.key = "steps", .table = std::move(table)},
                       {.key = "means", .table = table_of(network_error_fields(), means), .shown = false}}};
}

}  // namespace sextant::report
