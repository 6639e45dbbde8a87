#include "sextant/report/case_report.h"

#include <algorithm>
#include <charconv>
#include <ostream>
#include <string>
#include <vector>

namespace sextant::report {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;  // bytes gathered before the stream is asked

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

void append_number(std::string& line, double value) {
  std::array<char, 32> buffer{};
  line.append(buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr);
}

// The cells of the answer, each with a comma before it.
std::string answer_text(const predict::CaseAnswer& a) {
  std::string line;
  if (!a.error.empty()) {
    line.append(kAnswerColumns.size(), ',');
    append_field(line, a.error);
    return line;
  }
  const auto number = [&line](double value) {
    line += ',';
    append_number(line, value);
  };
  number(a.predicted.value);
  number(a.interval.low.value);
  if (a.interval.high) {
    number(a.interval.high->value);
  } else {
    line += ',';
  }
  number(a.breakdown.compute.value);
  number(a.breakdown.communication.value);
  number((a.breakdown.overhead + a.breakdown.input).value);
  if (a.memory) {
    number(a.memory->value);
    line += a.fits ? ",true" : ",false";
  } else {
    line += ",,";
  }
  line += a.extrapolating ? ",true," : ",false,";
  append_field(line, a.strategy);
  line += ',';
  return line;
}

std::vector<std::size_t> copied_columns(const CsvTable& table) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < table.header().size(); ++c) {
    if (std::ranges::find(kAnswerColumns, table.header()[c]) == kAnswerColumns.end()) columns.push_back(c);
  }
  return columns;
}

}  // namespace

void write_case_answers(std::ostream& out, const CsvTable& table, const predict::CaseAnswers& answers) {
  const auto columns = copied_columns(table);
  std::vector<std::string> texts(answers.distinct.size());
  std::ranges::transform(answers.distinct, texts.begin(), answer_text);
  std::string piece;
  const auto flush = [&] {
    out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    piece.clear();
  };
  for (const auto c : columns) {
    append_field(piece, table.header()[c]);
    piece += ',';
  }
  for (const auto name : kAnswerColumns) (piece += name) += name == kAnswerColumns.back() ? '\n' : ',';
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (const auto c : columns) {
      if (c != columns.front()) piece += ',';
      append_field(piece, table.text(row, c));
    }
    piece += columns.empty() ? texts[answers.of_row[row]].substr(1) : texts[answers.of_row[row]];
    piece += '\n';
    if (piece.size() > kPiece) flush();
  }
  flush();
}

}  // namespace sextant::report
