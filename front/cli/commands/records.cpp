// sextant records: measurement records in an SQLite file; CSV in and out.
#include <memory>
#include <ostream>

#include "output_file.h"
#include "records_args.h"
#include "sextant/cli/run.h"
#include "sextant/records/record_csv.h"
#include "sextant/report/records_report.h"

namespace sextant::cli::command_records {
namespace {

int import_csv(const ask::ImportRecordsQuestion& question, const Io& io, const Globals& globals) {
  const records::AppendReport report = ask::import_records(
      question, provenance_now(globals.command_line, static_cast<std::uint64_t>(globals.seed)));
  write_result(io, globals, report::records_added_result(question.db, report));
  return kDone;
}

struct ExportArgs {
  ask::ReadRecordsQuestion question;
  std::optional<std::string> out;
};

int export_csv(const ExportArgs& args, const Io& io, const Globals& globals) {
  OutputFile out(args.out.value_or(kStandardOutput), io);
  write_records_csv(
      out.stream(), ask::read_records(args.question),
      globals.no_provenance ? records::CsvProvenance::left_out : records::CsvProvenance::written);
  out.commit();
  return kDone;
}

int list(const ask::ReadRecordsQuestion& question, const Io& io, const Globals& globals) {
  write_result(io, globals, report::records_list_result(ask::read_records(question)));
  return kDone;
}

int check(const std::string& db, const Io& io, const Globals& globals) {
  const ask::RecordsCheck found = ask::check_records(db);
  write_result(io, globals, report::records_check_result(db, found));
  return found.faults.empty() ? kDone : kFailed;
}

std::vector<Option> export_options(ExportArgs& args) {
  std::vector<Option> options = records_filter_options(args.question);
  options.push_back({.name = "out",
                     .summary = "write the records into this CSV (default: standard output)",
                     .target = &args.out,
                     .value_name = "FILE",
                     .writes = Writes::file});
  return options;
}

}  // namespace

std::vector<Command> plugin() {
  const auto imported = std::make_shared<ask::ImportRecordsQuestion>();
  const auto exported = std::make_shared<ExportArgs>();
  const auto listed = std::make_shared<ask::ReadRecordsQuestion>();
  const auto checked = std::make_shared<std::string>(exported->question.db);
  return {{.path = "records import",
           .wish = Wish::measure,
           .summary = "add the rows of a CSV file to the records",
           .details = "A row that is there already is left alone: importing a file twice adds nothing.",
           .examples = {"sextant records import runs.csv --db runs.db --kind training-step"},
           .options = records_import_options(*imported),
           .run = [imported](const Io& io, const Globals& g) { return import_csv(*imported, io, g); }},
          {.path = "records export",
           .wish = Wish::measure,
           .summary = "write records as CSV",
           .details = "What is written can be imported again. --no-provenance leaves out ids and provenance.",
           .examples = {"sextant records export --db runs.db --out runs.csv"},
           .options = export_options(*exported),
           .run = [exported](const Io& io, const Globals& g) { return export_csv(*exported, io, g); }},
          {.path = "records list",
           .wish = Wish::measure,
           .summary = "show records, one line each",
           .details = "",
           .examples = {"sextant records list --db runs.db --limit 10"},
           .options = records_filter_options(*listed),
           .run = [listed](const Io& io, const Globals& g) { return list(*listed, io, g); }},
          {.path = "records check",
           .wish = Wish::measure,
           .summary = "read every page of the file and report faults",
           .details = "",
           .examples = {"sextant records check --db runs.db"},
           .options = {records_db_option(*checked)},
           .run = [checked](const Io& io, const Globals& g) { return check(*checked, io, g); }}};
}

}  // namespace sextant::cli::command_records
