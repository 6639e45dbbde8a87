#include <unordered_map>

#include "csv_cell.h"
#include "csv_provenance.h"
#include "sextant/core/text.h"
#include "sextant/records/record_csv.h"

namespace sextant::records {
namespace {

constexpr std::size_t kIdDigits = 32;

// Every part with its length, so that no two lists of parts give the same text.
void add_part(std::string& text, const std::string& part) {
  text += std::to_string(part.size()) + ":" + part;
}

std::string contents(const Record& record) {
  std::string text;
  add_part(text, record.kind);
  for (const auto& [name, value] : record.fields) {
    add_part(text, name);
    add_part(text, cell_of(value));
  }
  return text;
}

class RowReader {
 public:
  RowReader(const CsvTable& table, const CsvDefaults& defaults)
      : table_(table),
        defaults_(defaults),
        provenance_(table),
        id_(table.find_column("id")),
        kind_(table.find_column("kind")) {}

  [[nodiscard]] bool blank(std::size_t row) const {
    for (std::size_t c = 0; c < table_.header().size(); ++c) {
      if (!table_.empty(row, c)) return false;
    }
    return true;
  }

  Record read(std::size_t row) {
    Record record{"", kind(row), fields(row), provenance(row)};
    std::string text = contents(record);
    const std::size_t equal = seen_[text]++;
    add_part(text, std::to_string(equal));
    const std::optional<std::string> given = given_id(row);
    record.id = given ? *given : sha256_hex(text).substr(0, kIdDigits);
    check_record(record, table_.where(row, 0));
    return record;
  }

 private:
  [[nodiscard]] std::string kind(std::size_t row) const {
    if (kind_ && !table_.empty(row, *kind_)) return table_.text(row, *kind_);
    if (!defaults_.kind.empty()) return defaults_.kind;
    throw InputError(table_.where(row, kind_.value_or(0)), "the record has no kind",
                     "add a column 'kind', or give `kind` for all of them");
  }

  [[nodiscard]] std::vector<Field> fields(std::size_t row) const {
    std::vector<Field> found;
    for (std::size_t c = 0; c < table_.header().size(); ++c) {
      const auto& name = table_.header()[c];
      if (c == id_ || c == kind_ || name.starts_with(kProvenancePrefix)) continue;
      if (auto value = value_of(table_.text(row, c))) found.push_back({name, std::move(*value)});
    }
    return found;
  }

  [[nodiscard]] Provenance provenance(std::size_t row) const {
    return provenance_.has_columns() ? provenance_.at(row) : defaults_.provenance;
  }

  [[nodiscard]] std::optional<std::string> given_id(std::size_t row) const {
    if (!id_ || table_.empty(row, *id_)) return std::nullopt;
    std::string id(trim(table_.text(row, *id_)));
    if (is_record_id(id)) return id;
    throw InputError(table_.where(row, *id_), "'" + id + "' is not a record's id",
                     "the column 'id' is for ids of exported records; rename it if it means something else");
  }

  const CsvTable& table_;
  const CsvDefaults& defaults_;
  ProvenanceReader provenance_;
  std::optional<std::size_t> id_;
  std::optional<std::size_t> kind_;
  std::unordered_map<std::string, std::size_t> seen_ = {};  // contents -> rows so far that have them
};

}  // namespace

std::vector<Record> read_records_csv(const CsvTable& table, const CsvDefaults& defaults) {
  RowReader reader(table, defaults);
  std::vector<Record> records;
  records.reserve(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!reader.blank(row)) records.push_back(reader.read(row));
  }
  return records;
}

}  // namespace sextant::records
