#include "records_args.h"

namespace sextant::cli {

Option records_db_option(std::string& db) {
  return {.name = "db",
          .summary = "SQLite file of the records",
          .target = &db,
          .value_name = "FILE",
          .writes = Writes::place};
}

std::vector<Option> records_filter_options(ask::ReadRecordsQuestion& question) {
  return {records_db_option(question.db),
          {.name = "kind",
           .summary = "only records of this kind",
           .target = &question.filter.kind,
           .value_name = "KIND"},
          {.name = "since",
           .summary = "only records measured from this date on (2026-01-31)",
           .target = &question.filter.since,
           .value_name = "DATE"},
          {.name = "limit",
           .summary = "take at most this number of records",
           .target = &question.filter.limit,
           .value_name = "N",
           .low = 0}};
}

std::vector<Option> records_import_options(ask::ImportRecordsQuestion& question) {
  return {{.name = "FILE",
           .summary = "CSV with a header; every column becomes a field",
           .target = &question.file,
           .positional = true,
           .required = true},
          records_db_option(question.db),
          {.name = "kind",
           .summary = "kind of the rows that name none",
           .target = &question.kind,
           .value_name = "KIND"}};
}

}  // namespace sextant::cli
