// sextant records: measurement records in an SQLite file; CSV in and out.
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/core/csv.h"
#include "sextant/core/provenance.h"
#include "sextant/core/text.h"
#include "sextant/records/record_csv.h"
#include "sextant/records/record_store.h"

namespace sextant {
namespace {

struct RecordsArgs {
  std::string file;  // CSV
  std::string db = "sextant.db";
  std::string kind;
  std::string since;
  std::optional<std::int64_t> limit;

  [[nodiscard]] RecordFilter filter() const { return {kind, since, limit}; }
};

int import_csv(const RecordsArgs& args, const Io& io, const Globals& globals) {
  const std::string text = read_text_file(args.file);
  Provenance from = provenance_now(globals.command_line, static_cast<std::uint64_t>(globals.seed));
  from.inputs.emplace_back(args.file, sha256_hex(text));
  const auto records = read_records_csv(CsvTable::parse(text, args.file), {args.kind, from});
  auto store = RecordStore::open(args.db, {.mode = StoreMode::read_write});
  const AppendReport report = store.append(records);
  Table table;
  table.columns = {{"db", "db"}, {"added", "added"}, {"already_there", "already there"}};
  table.rows = {{args.db, report.added, report.already_there}};
  write_table(io, globals, table);
  return kDone;
}

int export_csv(const RecordsArgs& args, const Io& io, const Globals& globals) {
  const auto store = RecordStore::open(args.db);
  const auto records = store.read(args.filter());
  write_records_csv(io.out, records,
                    globals.no_provenance ? CsvProvenance::left_out : CsvProvenance::written);
  return kDone;
}

std::string field_text(const Record& record) {
  std::vector<std::string> parts;
  for (const auto& field : record.fields) parts.push_back(field.name + "=" + *text_field(record, field.name));
  return join(parts, " ");
}

int list(const RecordsArgs& args, const Io& io, const Globals& globals) {
  const auto store = RecordStore::open(args.db);
  Table table;
  table.columns = {{"id", "id"}, {"kind", "kind"}, {"date", "date"}, {"fields", "fields"}};
  for (const auto& record : store.read(args.filter())) {
    table.rows.push_back({record.id, record.kind, record.provenance.date, field_text(record)});
  }
  write_table(io, globals, table);
  return kDone;
}

int check(const RecordsArgs& args, const Io& io, const Globals& globals) {
  const auto store = RecordStore::open(args.db);
  const auto faults = store.faults();
  Table table;
  table.columns = {{"db", "db"}, {"records", "records"}, {"faults", "faults"}};
  table.rows = {{args.db, store.count(), static_cast<std::int64_t>(faults.size())}};
  table.notes = faults;
  write_table(io, globals, table);
  return faults.empty() ? kDone : kFailed;
}

Option db_option(RecordsArgs& args) {
  return {.name = "db", .summary = "the SQLite file", .target = &args.db, .value_name = "FILE"};
}

std::vector<Option> filter_options(RecordsArgs& args) {
  return {
      db_option(args),
      {.name = "kind", .summary = "only records of this kind", .target = &args.kind, .value_name = "KIND"},
      {.name = "since",
       .summary = "only records measured from this date on (2026-01-31)",
       .target = &args.since,
       .value_name = "DATE"},
      {.name = "limit", .summary = "at most so many", .target = &args.limit, .value_name = "N", .low = 0}};
}

std::vector<Option> import_options(RecordsArgs& args) {
  return {{.name = "FILE",
           .summary = "CSV with a header; every column becomes a field",
           .target = &args.file,
           .positional = true,
           .required = true},
          db_option(args),
          {.name = "kind",
           .summary = "kind of the rows that do not say",
           .target = &args.kind,
           .value_name = "KIND"}};
}

}  // namespace

std::vector<Command> command_records() {
  const auto import_args = std::make_shared<RecordsArgs>();
  import_args->kind = "measurement";
  const auto export_args = std::make_shared<RecordsArgs>();
  const auto list_args = std::make_shared<RecordsArgs>();
  const auto check_args = std::make_shared<RecordsArgs>();
  return {{.path = "records import",
           .summary = "add the rows of a CSV file to the records",
           .details = "A row that is there already is left alone: importing a file twice adds nothing.",
           .examples = {"sextant records import runs.csv --db runs.db --kind training-step"},
           .options = import_options(*import_args),
           .run = [import_args](const Io& io, const Globals& g) { return import_csv(*import_args, io, g); }},
          {.path = "records export",
           .summary = "write records as CSV",
           .details = "What is written can be imported again. --no-provenance leaves out ids and provenance.",
           .examples = {"sextant records export --db runs.db > runs.csv"},
           .options = filter_options(*export_args),
           .run = [export_args](const Io& io, const Globals& g) { return export_csv(*export_args, io, g); }},
          {.path = "records list",
           .summary = "show records, one line each",
           .details = "",
           .examples = {"sextant records list --db runs.db --limit 10"},
           .options = filter_options(*list_args),
           .run = [list_args](const Io& io, const Globals& g) { return list(*list_args, io, g); }},
          {.path = "records check",
           .summary = "read every page of the file and report faults",
           .details = "",
           .examples = {"sextant records check --db runs.db"},
           .options = {db_option(*check_args)},
           .run = [check_args](const Io& io, const Globals& g) { return check(*check_args, io, g); }}};
}

}  // namespace sextant
