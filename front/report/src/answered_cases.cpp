#include "sextant/report/answered_cases.h"

#include <algorithm>
#include <ostream>

#include "sextant/report/render.h"

namespace sextant::report {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;  // bytes gathered before the stream is asked

std::vector<std::size_t> copied_columns(const AnsweredCases& answered) {
  std::vector<std::size_t> copied;
  const std::vector<std::string>& header = answered.cases.header();
  for (std::size_t c = 0; c < header.size(); ++c) {
    if (std::ranges::find(answered.columns, header[c], &Column::key) == answered.columns.end())
      copied.push_back(c);
  }
  return copied;
}

// Quoted only where it must be.
void append_field(std::string& line, std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
    line += field;
    return;
  }
  line += '"';
  for (const char c : field) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

std::string answer_text(const std::vector<Cell>& cells) {
  std::string line;
  for (const Cell& cell : cells) {
    if (&cell != &cells.front()) line += ',';
    append_field(line, csv_text(cell));
  }
  return line;
}

}  // namespace

Result cases_result(const AnsweredCases& answered) {
  const std::vector<std::size_t> copied = copied_columns(answered);
  Table table;
  for (const std::size_t c : copied) {
    const std::string& name = answered.cases.header()[c];
    table.columns.push_back({name, name, Importance::identity, "case"});
  }
  table.columns.insert(table.columns.end(), answered.columns.begin(), answered.columns.end());
  for (std::size_t row = 0; row < answered.cases.rows(); ++row) {
    std::vector<Cell> cells;
    for (const std::size_t c : copied) cells.emplace_back(answered.cases.text(row, c));
    std::ranges::move(answered.cells(answered.answer_of_row(row)), std::back_inserter(cells));
    table.rows.push_back(std::move(cells));
  }
  return {.schema = answered.schema, .sections = {{.key = "cases", .table = std::move(table)}}};
}

void write_cases_csv(std::ostream& out, const AnsweredCases& answered) {
  const std::vector<std::size_t> copied = copied_columns(answered);
  std::vector<std::string> texts;  // of each answer, which rows may share
  for (std::size_t i = 0; i < answered.distinct; ++i) texts.push_back(answer_text(answered.cells(i)));
  std::string piece;
  const auto flush = [&] {
    out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    piece.clear();
  };
  for (const std::size_t c : copied) {
    append_field(piece, answered.cases.header()[c]);
    piece += ',';
  }
  for (const Column& column : answered.columns) {
    (piece += column.key) += &column == &answered.columns.back() ? '\n' : ',';
  }
  for (std::size_t row = 0; row < answered.cases.rows(); ++row) {
    for (const std::size_t c : copied) {
      append_field(piece, answered.cases.text(row, c));
      piece += ',';
    }
    (piece += texts[answered.answer_of_row(row)]) += '\n';
    if (piece.size() > kPiece) flush();
  }
  flush();
}

}  // namespace sextant::report
