// sextant collective --cases: a CSV of questions in, the same with answers out.
#include <algorithm>
#include <memory>
#include <ostream>

#include "case_io.h"
#include "catalog_option.h"
#include "collective_args.h"
#include "output_file.h"
#include "sextant/cli/run.h"
#include "sextant/report/collective_report.h"

namespace sextant {
namespace {

void refuse_what_has_no_meaning(const CollectiveArgs& args, const Globals& globals) {
  if (!args.systems.empty() || !args.machines.empty() || args.link || args.network) {
    throw InputError({"--cases"}, "the rows name their systems", "--systems FILES adds your own");
  }
  if (!args.gpus.empty() || !args.nodes.empty() || !args.count.empty() || !args.algorithms.empty()) {
    throw InputError({"--cases"}, "--gpus, --nodes, --count and --algorithm cannot be asked of rows");
  }
  const Format format = globals.chosen_format();
  if (format == Format::json || format == Format::markdown) {
    throw InputError({"--format"}, "answers to --cases are CSV");
  }
}

}  // namespace

int collective_cases(const CollectiveArgs& args, const Io& io, const Globals& globals) {
  refuse_what_has_no_meaning(args, globals);
  const Catalog catalog = open_catalog(io, globals);
  const Systems systems = load_systems(catalog, args.system_files);
  const Calibration calibration = calibration_of(args);
  const CsvTable table = read_cases(*args.cases);
  const bool to_file = args.out && *args.out != "-";
  const auto file = to_file ? std::make_unique<OutputFile>(*args.out) : nullptr;
  const auto answers = answer_collectives(table, {catalog, systems, calibration});
  write_collective_answers(to_file ? file->stream() : io.out, table, answers);
  if (to_file) file->commit();
  std::vector<std::string_view> errors;
  for (const auto& answer : answers) errors.emplace_back(answer.error);
  summarize_cases(io, table.file_name(), errors);
  return kDone;
}

}  // namespace sextant
