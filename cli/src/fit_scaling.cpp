#include "fit_scaling.h"

#include <nlohmann/json.hpp>

#include "output_file.h"
#include "progress.h"
#include "sextant/cli/run.h"
#include "sextant/report/scaling_report.h"
#include "sextant/scaling/fit.h"

namespace sextant {

int fit_scaling_law(const ScalingFitArgs& args, const Io& io, const Globals& globals) {
  OutputFile out(args.out);
  std::vector<ScalingRow> rows;
  for (const auto& file : args.data) {
    const auto more = read_scaling_rows(CsvTable::read_file(file));
    rows.insert(rows.end(), more.begin(), more.end());
  }
  const ScalingModel model = fit_scaling(rows, {}, *progress_on(io));
  out.stream() << to_json(model).dump(1, ' ', false, Json::error_handler_t::replace) << "\n";
  out.commit();
  write_table(io, globals, scaling_table(model));
  return kDone;
}

}  // namespace sextant
