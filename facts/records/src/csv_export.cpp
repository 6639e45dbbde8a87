#include <ostream>
#include <unordered_map>

#include "csv_cell.h"
#include "csv_provenance.h"
#include "sextant/records/record_csv.h"

namespace sextant::records {
namespace {

class FieldColumns {
 public:
  explicit FieldColumns(std::span<const Record> records) {
    for (const Record& record : records) {
      for (const Field& field : record.fields) {
        if (index_.emplace(field.name, names_.size()).second) names_.push_back(field.name);
      }
    }
  }

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  [[nodiscard]] std::vector<std::string> cells(const Record& record) const {
    std::vector<std::string> cells(names_.size());
    for (const Field& field : record.fields) cells[index_.at(field.name)] = cell_of(field.value);
    return cells;
  }

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> index_;
};

struct Line {
  std::string id, kind;
  std::vector<std::string> fields, provenance;
};

void write_line(std::ostream& out, const Line& line, CsvProvenance provenance) {
  const bool whole = provenance == CsvProvenance::written;
  std::vector<std::string> cells;
  if (whole) cells.push_back(line.id);
  cells.push_back(line.kind);
  cells.insert(cells.end(), line.fields.begin(), line.fields.end());
  if (whole) cells.insert(cells.end(), line.provenance.begin(), line.provenance.end());
  write_csv_row(out, cells);
}

}  // namespace

void write_records_csv(std::ostream& out, std::span<const Record> records, CsvProvenance provenance) {
  const FieldColumns columns(records);
  write_line(out, {"id", "kind", columns.names(), provenance_columns()}, provenance);
  for (const Record& record : records) {
    const Line line{record.id, record.kind, columns.cells(record), provenance_cells(record.provenance)};
    write_line(out, line, provenance);
  }
}

}  // namespace sextant::records
