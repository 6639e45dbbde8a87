// Measurement records in an SQLite file: what goes in and what is there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sextant/core/provenance.h"
#include "sextant/records/record_store.h"

namespace sextant::ask {

struct ImportRecordsQuestion {
  std::string file = {};  // CSV with a header; every column becomes a field
  std::string db = "sextant.db";
  std::string kind = "measurement";  // of the rows that do not say
};
// `from` is where rows without provenance come from; the file and its hash are added to it.
records::AppendReport import_records(const ImportRecordsQuestion& question, Provenance from);

struct ReadRecordsQuestion {
  std::string db = "sextant.db";
  records::RecordFilter filter = {};
};
std::vector<records::Record> read_records(const ReadRecordsQuestion& question);

struct RecordsCheck {
  std::int64_t records = 0;
  std::vector<std::string> faults = {};  // none for a sound file
};
RecordsCheck check_records(const std::string& db);

}  // namespace sextant::ask
