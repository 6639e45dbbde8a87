#include "csv_provenance.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "record_json.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"

namespace sextant::records {
namespace {

using Read = void (*)(Provenance& into, const std::string& cell, const SourcePos& at);

struct Column {
  const char* name;
  std::string (*cell)(const Provenance&);
  Read read;
};

void read_seed(Provenance& into, const std::string& cell, const SourcePos& at) {
  const std::string_view text = trim(cell);
  const char* end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, into.seed);
  if (status != std::errc{} || stop != end) {
    throw InputError(at, "'" + cell + "' is not a seed", "a seed is a whole number below 2^64");
  }
}

void read_inputs(Provenance& into, const std::string& cell, const SourcePos& at) {
  try {
    into.inputs = decode_inputs(cell, at.file);
  } catch (const InputError& error) {
    throw InputError(at, error.message(), error.hint());
  }
}

template <std::string Provenance::*member>
std::string member_cell(const Provenance& from) {
  return from.*member;
}

template <std::string Provenance::*member>
void read_member(Provenance& into, const std::string& cell, const SourcePos&) {
  into.*member = cell;
}

const std::array<Column, 6> kColumns{{
    {"provenance.tool_version", member_cell<&Provenance::tool_version>,
     read_member<&Provenance::tool_version>},
    {"provenance.date", member_cell<&Provenance::date>, read_member<&Provenance::date>},
    {"provenance.host", member_cell<&Provenance::host>, read_member<&Provenance::host>},
    {"provenance.command", member_cell<&Provenance::command>, read_member<&Provenance::command>},
    {"provenance.seed", [](const Provenance& from) { return std::to_string(from.seed); }, read_seed},
    {"provenance.inputs", encode_inputs, read_inputs},
}};

const Column& column_named(const CsvTable& table, std::size_t column) {
  const auto& name = table.header()[column];
  const auto it = std::ranges::find(kColumns, name, &Column::name);
  if (it != kColumns.end()) return *it;
  throw InputError(table.where_header(column), "unknown column '" + name + "'",
                   name_hint(name, provenance_columns()));
}

}  // namespace

std::vector<std::string> provenance_columns() {
  std::vector<std::string> names;
  names.reserve(kColumns.size());
  for (const auto& column : kColumns) names.emplace_back(column.name);
  return names;
}

std::vector<std::string> provenance_cells(const Provenance& provenance) {
  std::vector<std::string> cells;
  cells.reserve(kColumns.size());
  for (const auto& column : kColumns) cells.push_back(column.cell(provenance));
  return cells;
}

ProvenanceReader::ProvenanceReader(const CsvTable& table) : table_(table) {
  for (std::size_t c = 0; c < table.header().size(); ++c) {
    if (!table.header()[c].starts_with(kProvenancePrefix)) continue;
    column_named(table, c);
    columns_.push_back(c);
  }
}

Provenance ProvenanceReader::at(std::size_t row) const {
  Provenance provenance;
  for (const std::size_t c : columns_) {
    const std::string cell = table_.text(row, c);
    if (!cell.empty()) column_named(table_, c).read(provenance, cell, table_.where(row, c));
  }
  return provenance;
}

}  // namespace sextant::records
