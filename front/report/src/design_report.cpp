#include "sextant/report/design_report.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sextant/core/text.h"

namespace sextant::report {
namespace {

using enum Importance;

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

struct PlannedRow {
  const explore::SearchSpace& space;
  const explore::PlannedRun& run;
  std::int64_t number = 0;
};

Fields<PlannedRow> run_fields(const explore::SearchSpace& space) {
  using R = const PlannedRow&;
  const auto from_one = [](std::size_t index) { return Cell(static_cast<std::int64_t>(index + 1)); };
  Fields<PlannedRow> fields = {
      {"run", "run", [](R r) { return Cell(r.number); }, identity},
      {"block", "block", [=](R r) { return from_one(r.run.block); }, identity},
      {"replicate", "replicate", [=](R r) { return from_one(r.run.replicate); }, identity},
  };
  for (std::size_t i = 0; i < space.factors().size(); ++i) {
    const std::string& name = space.factors()[i].name;
    fields.push_back({name, name, [i](R r) { return value_cell(r.space, r.run.configuration, i); }, identity,
                      "configuration"});
  }
  return fields;
}

Table run_sheet(const explore::SearchSpace& space, const explore::PlannedDesign& design) {
  std::vector<PlannedRow> rows;
  for (const explore::PlannedRun& run : design.runs) {
    rows.push_back({space, run, static_cast<std::int64_t>(rows.size() + 1)});
  }
  Table table = table_of(run_fields(space), rows);
  table.notes = design.notes;
  if (design.resolution) table.notes.push_back("resolution " + std::to_string(*design.resolution));
  return table;
}

Cell list_cell(const std::vector<std::string>& names) {
  return Cell::nested(names, join(names, " "));
}

std::vector<std::string> alias_notes(const explore::PlannedDesign& design, bool parts) {
  std::vector<std::string> notes;
  for (const std::string& note : design.notes) {
    if (note.starts_with("factors and their levels")) notes.push_back(note);
  }
  if (parts) {
    notes.emplace_back("the estimate of an effect is the effect and these parts of interactions of two");
  } else if (!design.defining_relation.empty()) {
    notes.push_back("I = " + join(design.defining_relation, " = "));
  } else if (design.aliases.empty()) {
    notes.emplace_back("this design has no defining relation: no effect stands for another in full");
  }
  if (design.resolution) notes.push_back("resolution " + std::to_string(*design.resolution));
  return notes;
}

// A line per effect; none for a design that tells all effects apart.
Table alias_table(const explore::PlannedDesign& design) {
  using explore::AliasRow;
  using R = const AliasRow&;
  const bool parts = std::ranges::any_of(design.aliases, [](R row) { return row.part != 1; });
  const Fields<AliasRow> fields = {
      {"effect", "effect", [](R r) { return Cell(r.effect); }, identity},
      {"part", "has", [](R r) { return part_cell(r.part); }, parts ? essential : detail},
      {"aliases", parts ? "of each of" : "cannot be told from", [](R r) { return list_cell(r.aliases); },
       essential},
  };
  Table table = table_of(fields, design.aliases);
  table.notes = alias_notes(design, parts);
  return table;
}

Fields<explore::PlannedDesign> design_facts() {
  using D = const explore::PlannedDesign&;
  return {
      {"resolution", "resolution",
       [](D d) { return d.resolution ? Cell(std::int64_t{*d.resolution}) : Cell(); }},
      {"defining_relation", "", [](D d) { return Cell::nested(d.defining_relation); }, detail},
      {"notes", "", [](D d) { return Cell::nested(d.notes); }, detail},
  };
}

}  // namespace

Result design_result(const explore::SearchSpace& space, const explore::PlannedDesign& design,
                     DesignAnswer answer) {
  const bool runs_asked = answer == DesignAnswer::runs;
  Section runs{.key = "runs", .table = run_sheet(space, design), .shown = runs_asked};
  Section aliases{.key = "aliases", .table = alias_table(design), .shown = !runs_asked};
  if (!runs_asked) std::swap(runs, aliases);
  return {.schema = "sextant.design/1",
          .sections = {std::move(runs), std::move(aliases)},
          .facts = facts_of(design_facts(), design)};
}

}  // namespace sextant::report
