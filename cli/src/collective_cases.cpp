// sextant collective --cases: a CSV of questions in, the same with answers out.
#include <algorithm>
#include <memory>
#include <ostream>

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

void summarize(const Io& io, const std::string& file, const std::vector<CollectiveAnswer>& answers) {
  const auto failed = [](const CollectiveAnswer& answer) { return !answer.error.empty(); };
  const auto errors = std::ranges::count_if(answers, failed);
  io.err << "sextant: " << file << ": " << answers.size() << " rows, " << std::ssize(answers) - errors
         << " predicted, " << errors << " with an error";
  if (const auto first = std::ranges::find_if(answers, failed); first != answers.end()) {
    io.err << "; the first in row " << first - answers.begin() + 1 << ": " << first->error;
  }
  io.err << '\n';
}

}  // namespace

int collective_cases(const CollectiveArgs& args, const Io& io, const Globals& globals) {
  refuse_what_has_no_meaning(args, globals);
  const Catalog catalog = open_catalog(io, globals);
  const Systems systems = load_systems(catalog, args.system_files);
  const Calibration calibration = calibration_of(args);
  const CsvTable table = *args.cases == "-" ? CsvTable::parse(read_text_file("/dev/stdin"), "standard input")
                                            : CsvTable::read_file(*args.cases);
  const bool to_file = args.out && *args.out != "-";
  const auto file = to_file ? std::make_unique<OutputFile>(*args.out) : nullptr;
  const auto answers = answer_collectives(table, {catalog, systems, calibration});
  write_collective_answers(to_file ? file->stream() : io.out, table, answers);
  if (to_file) file->commit();
  summarize(io, table.file_name(), answers);
  return kDone;
}

}  // namespace sextant
