#include "sextant/report/local_report.h"

#include <cmath>
#include <map>

namespace sextant::report {
namespace {

// Of log time, as the larger of the two sides, relative.
double side(double half_width) {
  return std::exp(half_width) - 1;
}

std::string error_percent(double share) {
  return percent_cell(share).shown;
}

}  // namespace

Table calibration_result_table(const calibrate::LocalCalibration& c) {
  Table table{.columns = {{"device", "device"},
                          {"threads", "threads"},
                          {"networks", "networks"},
                          {"operators", "operators"},
                          {"steps", "steps"},
                          {"mean_error", "error on networks left out"},
                          {"half_width", "90 % within"},
                          {"seconds", "took"},
                          {"catalog", "catalogue"}},
              .rows = {},
              .notes = {}};
  table.rows.push_back({c.gpu.id, c.device.threads, static_cast<std::int64_t>(c.networks),
                        static_cast<std::int64_t>(c.operators), static_cast<std::int64_t>(c.steps),
                        percent_cell(c.device.mean_error), percent_cell(side(c.device.half_width)),
                        Seconds{c.seconds}, c.catalog_file.string()});
  table.notes = {"now: sextant predict NET --gpu " + c.gpu.id + "; the timed operators are in " +
                 c.records_file.string()};
  return table;
}

Table local_accuracy_table(const std::vector<calibrate::AccuracyRow>& rows) {
  Table table{.columns = {{"net", "net"},
                          {"batch", "batch"},
                          {"image", "image"},
                          {"measured_s", "measured"},
                          {"predicted_s", "predicted"},
                          {"error", "error"},
                          {"inside", "in interval"},
                          {"extrapolating", "outside fit"}},
              .rows = {},
              .notes = {}};
  for (const calibrate::AccuracyRow& row : rows) {
    table.rows.push_back({row.job.net, row.job.sizes.batch,
                          row.job.sizes.image ? Cell(*row.job.sizes.image) : Cell(), Seconds{row.measured_s},
                          Seconds{row.predicted_s}, percent_cell(row.error()), row.inside,
                          row.extrapolating});
  }
  if (rows.empty()) return table;
  const calibrate::ErrorMeans means = error_means(rows);
  table.notes = {"mean error " + error_percent(means.rows) + " over rows, " + error_percent(means.networks) +
                 " over networks; " + error_percent(means.inside) +
                 " of the steps lie in their 90 % interval"};
  return table;
}

Table transfer_table(const std::vector<calibrate::TransferRow>& rows) {
  Table table{.columns = {{"fitted_on", "fitted on"},
                          {"asked", "asked"},
                          {"batch", "batch"},
                          {"measured_s", "measured"},
                          {"predicted_s", "predicted"},
                          {"error", "error"}},
              .rows = {},
              .notes = {}};
  std::map<std::string, std::vector<double>> errors;
  for (const calibrate::TransferRow& row : rows) {
    const double error = row.predicted_s / row.measured_s - 1;
    errors[row.fitted_on].push_back(std::abs(error));
    table.rows.push_back({row.fitted_on, row.asked, row.batch, Seconds{row.measured_s},
                          Seconds{row.predicted_s}, percent_cell(error)});
  }
  for (const auto& [net, values] : errors) {
    double sum = 0;
    for (const double value : values) sum += value;
    table.notes.push_back("fitted on " + net + ": mean error " +
                          error_percent(sum / static_cast<double>(values.size())));
  }
  return table;
}

}  // namespace sextant::report
