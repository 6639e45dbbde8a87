#include "fit_collective.h"

#include <nlohmann/json.hpp>

#include "catalog_option.h"
#include "output_file.h"
#include "progress.h"
#include "sextant/cli/run.h"
#include "sextant/collectives/calibration_fit.h"
#include "sextant/report/collective_report.h"

namespace sextant {

int fit_collective(const CollectiveFitArgs& args, const Io& io, const Globals& globals) {
  OutputFile out(args.out);
  const Catalog catalog = open_catalog(io, globals);
  const Systems systems = load_systems(catalog);
  std::vector<TimedCollective> rows;
  for (const auto& file : args.data) {
    const auto read = read_timed(CsvTable::read_file(file), systems, catalog);
    rows.insert(rows.end(), read.begin(), read.end());
  }
  Calibration calibration = fit_calibration(rows);
  measure_widths(rows, calibration, {}, *progress_on(io));
  out.stream() << to_json(calibration).dump(1) << "\n";
  out.commit();
  write_table(io, globals, calibration_table(calibration));
  return kDone;
}

}  // namespace sextant
