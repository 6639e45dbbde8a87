// Calibration from timed collectives: damped least squares on log times, robust against wild rows, with
// every coefficient drawn towards its start value. Intervals come from rows that were left out.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sextant/collectives/calibration.h"
#include "sextant/core/csv.h"
#include "sextant/core/progress.h"
#include "sextant/stats/accuracy.h"

namespace sextant::collectives {

struct TimedCollective {
  System system;
  CollectiveQuestion question;
  Seconds time;
};

// The columns of a case file with the time added: `measured_s`, `measured_ms` or `median_ms`. A time of
// zero is below the clock's resolution and is passed over. InputError names the cell.
std::vector<TimedCollective> read_timed(const CsvTable& table, const Systems& systems,
                                        const catalog::Catalog& catalog);

// Coefficients and corrections; the widths stay those of the start values. InputError without rows.
Calibration fit_calibration(std::span<const TimedCollective> rows);

// Which widths to measure; the others keep their values.
struct WidthParts {
  bool placement = true;
  bool longer = true;
  bool system = true;
  bool nothing = true;
};
void measure_widths(std::span<const TimedCollective> rows, Calibration& calibration, const WidthParts& parts,
                    Progress& progress);

// Both lines on the tables of `data_folder`: messages above 16 MiB, and systems, left out of the fit.
std::vector<stats::AccuracyLine> collective_accuracy(const std::string& data_folder,
                                                     const catalog::Catalog& catalog, Progress& progress);

}  // namespace sextant::collectives
