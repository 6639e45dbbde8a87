// The provenance columns: their names, the cells of a record, and a record's provenance from a row.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/csv.h"
#include "sextant/core/provenance.h"

namespace sextant::records {

inline constexpr std::string_view kProvenancePrefix = "provenance.";

std::vector<std::string> provenance_columns();
std::vector<std::string> provenance_cells(const Provenance& provenance);  // in the same order

class ProvenanceReader {
 public:
  explicit ProvenanceReader(const CsvTable& table);  // InputError for an unknown provenance column

  [[nodiscard]] bool has_columns() const { return !columns_.empty(); }
  [[nodiscard]] Provenance at(std::size_t row) const;

 private:
  const CsvTable& table_;
  std::vector<std::size_t> columns_;
};

}  // namespace sextant::records
