#include "sextant/ask/records.h"

#include "sextant/core/csv.h"
#include "sextant/records/record_csv.h"

namespace sextant::ask {

records::AppendReport import_records(const ImportRecordsQuestion& question, Provenance from) {
  records::check_can_append(question.db);
  std::string text = read_text_file(question.file);
  from.inputs.emplace_back(question.file, sha256_hex(text));
  const auto rows = records::read_records_csv(CsvTable::parse(std::move(text), question.file),
                                              {.kind = question.kind, .provenance = std::move(from)});
  auto store = records::RecordStore::open(question.db, {.mode = records::StoreMode::read_write});
  return store.append(rows);
}

std::vector<records::Record> read_records(const ReadRecordsQuestion& question) {
  return records::RecordStore::open(question.db).read(question.filter);
}

RecordsCheck check_records(const std::string& db) {
  const auto store = records::RecordStore::open(db);
  std::vector<std::string> faults = store.faults();
  return {.records = store.count(), .faults = std::move(faults)};
}

}  // namespace sextant::ask
