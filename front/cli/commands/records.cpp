// sextant records: measurement records in an SQLite file; CSV in and out.
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "records_args.h"
#include "sextant/cli/run.h"
#include "sextant/core/text.h"
#include "sextant/records/record_csv.h"

namespace sextant::cli::command_records {
namespace {

int import_csv(const ask::ImportRecordsQuestion& question, const Io& io, const Globals& globals) {
  const records::AppendReport report = ask::import_records(
      question, provenance_now(globals.command_line, static_cast<std::uint64_t>(globals.seed)));
  report::Table table;
  table.columns = {{"db", "db"}, {"added", "added"}, {"already_there", "already there"}};
  table.rows = {{question.db, report.added, report.already_there}};
  write_table(io, globals, table);
  return kDone;
}

int export_csv(const ask::ReadRecordsQuestion& question, const Io& io, const Globals& globals) {
  write_records_csv(
      io.out, ask::read_records(question),
      globals.no_provenance ? records::CsvProvenance::left_out : records::CsvProvenance::written);
  return kDone;
}

std::string field_text(const records::Record& record) {
  std::vector<std::string> parts;
  for (const auto& field : record.fields) parts.push_back(field.name + "=" + *text_field(record, field.name));
  return join(parts, " ");
}

int list(const ask::ReadRecordsQuestion& question, const Io& io, const Globals& globals) {
  report::Table table;
  table.columns = {{"id", "id"}, {"kind", "kind"}, {"date", "date"}, {"fields", "fields"}};
  for (const auto& record : ask::read_records(question)) {
    table.rows.push_back({record.id, record.kind, record.provenance.date, field_text(record)});
  }
  write_table(io, globals, table);
  return kDone;
}

int check(const std::string& db, const Io& io, const Globals& globals) {
  const ask::RecordsCheck found = ask::check_records(db);
  report::Table table;
  table.columns = {{"db", "db"}, {"records", "records"}, {"faults", "faults"}};
  table.rows = {{db, found.records, static_cast<std::int64_t>(found.faults.size())}};
  table.notes = found.faults;
  write_table(io, globals, table);
  return found.faults.empty() ? kDone : kFailed;
}

}  // namespace

std::vector<Command> plugin() {
  const auto imported = std::make_shared<ask::ImportRecordsQuestion>();
  const auto exported = std::make_shared<ask::ReadRecordsQuestion>();
  const auto listed = std::make_shared<ask::ReadRecordsQuestion>();
  const auto checked = std::make_shared<std::string>(exported->db);
  return {{.path = "records import",
           .summary = "add the rows of a CSV file to the records",
           .details = "A row that is there already is left alone: importing a file twice adds nothing.",
           .examples = {"sextant records import runs.csv --db runs.db --kind training-step"},
           .options = records_import_options(*imported),
           .run = [imported](const Io& io, const Globals& g) { return import_csv(*imported, io, g); }},
          {.path = "records export",
           .summary = "write records as CSV",
           .details = "What is written can be imported again. --no-provenance leaves out ids and provenance.",
           .examples = {"sextant records export --db runs.db > runs.csv"},
           .options = records_filter_options(*exported),
           .run = [exported](const Io& io, const Globals& g) { return export_csv(*exported, io, g); }},
          {.path = "records list",
           .summary = "show records, one line each",
           .details = "",
           .examples = {"sextant records list --db runs.db --limit 10"},
           .options = records_filter_options(*listed),
           .run = [listed](const Io& io, const Globals& g) { return list(*listed, io, g); }},
          {.path = "records check",
           .summary = "read every page of the file and report faults",
           .details = "",
           .examples = {"sextant records check --db runs.db"},
           .options = {records_db_option(*checked)},
           .run = [checked](const Io& io, const Globals& g) { return check(*checked, io, g); }}};
}

}  // namespace sextant::cli::command_records
