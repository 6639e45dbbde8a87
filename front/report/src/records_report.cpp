#include "sextant/report/records_report.h"

#include <nlohmann/json.hpp>

#include "sextant/core/text.h"

namespace sextant::report {
namespace {

using enum Importance;
using records::AppendReport;
using records::Record;

std::string record_text(const Record& record) {
  std::vector<std::string> parts;
  for (const auto& field : record.fields) parts.push_back(field.name + "=" + *text_field(record, field.name));
  return join(parts, " ");
}

// Numbers as numbers, which the text of all fields does not tell.
Cell record_values(const Record& record) {
  Json values = Json::object();
  for (const auto& field : record.fields) {
    std::visit([&](const auto& value) { values[field.name] = value; }, field.value);
  }
  return Cell::nested(std::move(values));
}

// Enough of it to tell records apart; files have all.
Cell record_id(const Record& record) {
  constexpr std::size_t kShownDigits = 12;
  Cell cell(record.id);
  cell.shown = record.id.substr(0, kShownDigits);
  return cell;
}

Fields<Record> record_fields() {
  return {
      {"id", "id", record_id, identity},
      {"kind", "kind", [](const Record& r) { return Cell(r.kind); }},
      {"date", "date", [](const Record& r) { return Cell(r.provenance.date); }},
      {"fields", "fields", [](const Record& r) { return Cell(record_text(r)); }, essential},
      {"values", "", record_values, detail},
  };
}

Fields<AppendReport> records_added_fields(const std::string& db) {
  return {
      {"db", "db", [db](const AppendReport&) { return Cell(db); }, essential},
      {"added", "added", [](const AppendReport& r) { return Cell(r.added); }, essential},
      {"already_there", "already there", [](const AppendReport& r) { return Cell(r.already_there); }},
  };
}

Fields<ask::RecordsCheck> records_check_fields(const std::string& db) {
  using ask::RecordsCheck;
  return {
      {"db", "db", [db](const RecordsCheck&) { return Cell(db); }, essential},
      {"records", "records", [](const RecordsCheck& c) { return Cell(c.records); }},
      {"faults", "faults",
       [](const RecordsCheck& c) { return Cell(static_cast<std::int64_t>(c.faults.size())); }, essential},
      {"fault_texts", "", [](const RecordsCheck& c) { return Cell::nested(c.faults); }, detail},
  };
}

}  // namespace

Result records_added_result(const std::string& db, const AppendReport& report) {
  return {.schema = "sextant.records-import/1", .facts = facts_of(records_added_fields(db), report)};
}

Result records_list_result(const std::vector<Record>& records) {
  return {.schema = "sextant.records/1",
          .sections = {{.key = "records", .table = table_of(record_fields(), records)}}};
}

Result records_check_result(const std::string& db, const ask::RecordsCheck& check) {
  Result result{.schema = "sextant.records-check/1", .facts = facts_of(records_check_fields(db), check)};
  result.facts.notes = check.faults;
  return result;
}

}  // namespace sextant::report
