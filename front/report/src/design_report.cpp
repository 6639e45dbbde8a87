#include "sextant/report/design_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/core/text.h"
#include "sextant/report/catalog_report.h"

namespace sextant::report {
namespace {

// Exact on screen too: a run is made with what the sheet says.
Cell value_cell(const explore::SearchSpace& space, const explore::Configuration& configuration,
                std::size_t factor) {
  const std::optional<explore::ExpressionValue> value =
      space.named_value(configuration, space.factors()[factor].name);
  if (!value) return {};
  Cell cell;
  if (const double* number = std::get_if<double>(&*value)) {
    constexpr double kExact = 1e15;
    const bool whole = *number == std::floor(*number) && std::abs(*number) < kExact;
    cell = whole ? Cell(static_cast<std::int64_t>(*number)) : Cell(*number);
  } else {
    cell = Cell(std::get<std::string>(*value));
  }
  cell.shown = space.text(configuration, factor);
  return cell;
}

Json value_json(const explore::SearchSpace& space, const explore::Configuration& configuration,
                std::size_t factor) {
  const std::optional<explore::ExpressionValue> value =
      space.named_value(configuration, space.factors()[factor].name);
  if (!value) return nullptr;
  if (const double* number = std::get_if<double>(&*value)) return *number;
  return std::get<std::string>(*value);
}

// "-1/3": parts are means of signs over the runs.
Cell part_cell(double part) {
  constexpr int kLargest = 1000;
  Cell cell(part);
  for (int denominator = 1; denominator <= kLargest; ++denominator) {
    const double numerator = std::round(part * denominator);
    if (std::abs(part * denominator - numerator) > 1e-9) continue;
    cell.shown = std::to_string(static_cast<int>(numerator)) +
                 (denominator == 1 ? "" : "/" + std::to_string(denominator));
    break;
  }
  return cell;
}

}  // namespace

Table run_sheet(const explore::SearchSpace& space, const explore::PlannedDesign& design) {
  Table table{.columns = {{"run", "run"}, {"block", "block"}, {"replicate", "replicate"}},
              .rows = {},
              .notes = design.notes};
  for (const explore::SearchFactor& factor : space.factors())
    table.columns.push_back({factor.name, factor.name});
  std::int64_t number = 0;
  for (const explore::PlannedRun& run : design.runs) {
    std::vector<Cell> row = {++number, static_cast<std::int64_t>(run.block + 1),
                             static_cast<std::int64_t>(run.replicate + 1)};
    for (std::size_t i = 0; i < space.factors().size(); ++i) {
      row.push_back(value_cell(space, run.configuration, i));
    }
    table.rows.push_back(std::move(row));
  }
  if (design.resolution) table.notes.push_back("resolution " + std::to_string(*design.resolution));
  return table;
}

Table alias_table(const explore::PlannedDesign& design) {
  const bool parts =
      std::ranges::any_of(design.aliases, [](const explore::AliasRow& row) { return row.part != 1; });
  Table table{.columns = {{"effect", "effect"}, {"aliases", "cannot be told from"}}, .rows = {}, .notes = {}};
  if (parts) table.columns = {{"effect", "effect"}, {"part", "has"}, {"aliases", "of each of"}};
  for (const explore::AliasRow& row : design.aliases) {
    table.rows.push_back({row.effect, join(row.aliases, " ")});
    if (parts) table.rows.back().insert(table.rows.back().begin() + 1, part_cell(row.part));
  }
  for (const std::string& note : design.notes) {
    if (note.starts_with("factors and their levels")) table.notes.push_back(note);
  }
  if (parts) {
    table.notes.emplace_back(
        "the estimate of an effect is the effect and these parts of interactions of two");
  } else if (!design.defining_relation.empty()) {
    table.notes.push_back("I = " + join(design.defining_relation, " = "));
  } else if (design.aliases.empty()) {
    table.notes.emplace_back("this design has no defining relation: no effect stands for another in full");
  }
  if (design.resolution) table.notes.push_back("resolution " + std::to_string(*design.resolution));
  return table;
}

Json to_json(const explore::SearchSpace& space, const explore::PlannedDesign& design) {
  Json runs = Json::array();
  for (const explore::PlannedRun& run : design.runs) {
    Json configuration = Json::object();
    for (std::size_t i = 0; i < space.factors().size(); ++i) {
      configuration[space.factors()[i].name] = value_json(space, run.configuration, i);
    }
    runs.push_back({{"run", runs.size() + 1},
                    {"block", run.block + 1},
                    {"replicate", run.replicate + 1},
                    {"configuration", std::move(configuration)}});
  }
  Json aliases = Json::array();
  for (const explore::AliasRow& row : design.aliases)
    aliases.push_back({{"effect", row.effect}, {"aliases", row.aliases}, {"part", row.part}});
  return {{"runs", std::move(runs)},
          {"resolution", design.resolution ? Json(*design.resolution) : Json()},
          {"defining_relation", design.defining_relation},
          {"aliases", std::move(aliases)},
          {"notes", design.notes}};
}

}  // namespace sextant::report
