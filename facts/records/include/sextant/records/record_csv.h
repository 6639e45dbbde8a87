// Records to and from CSV. Any CSV can be read: the columns `id`, `kind` and `provenance.…` are
// records' own, every other one is a field. What is written reads back as the same records.
//
// A cell is a number if it is one that a double keeps: "1.5" and "2e-3" are numbers; "007", "1.10" and
// "12345678901234567891" are text, since as numbers they would lose digits that may name something (a
// version). An empty cell is an absent field. Text that would be taken for a number or for nothing is written
// with an apostrophe in front
// ('1e5), as spreadsheets do, and only such cells lose one when read.
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "sextant/core/csv.h"
#include "sextant/records/record.h"

namespace sextant::records {

// Ids go with provenance: what is left is the same to the byte for the same measurements.
enum class CsvProvenance { written, left_out };

// Columns: id, kind, fields in order of first appearance, provenance.
void write_records_csv(std::ostream& out, std::span<const Record> records,
                       CsvProvenance provenance = CsvProvenance::written);

struct CsvDefaults {
  std::string kind = {};       // for rows without one
  Provenance provenance = {};  // for tables without provenance columns
};

// A row without an id gets one derived from its kind and fields, and from how many equal rows stand above it:
// importing a file again adds nothing, importing it after rows were added or removed anywhere adds the new
// rows, and equal rows of one file stay apart. Blank rows are skipped. InputError names the cell.
std::vector<Record> read_records_csv(const CsvTable& table, const CsvDefaults& defaults);

}  // namespace sextant::records
