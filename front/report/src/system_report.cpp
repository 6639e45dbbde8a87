#include "sextant/report/system_report.h"

#include "catalog_fields.h"
#include "sextant/report/catalog_report.h"

namespace sextant::report {
namespace {

using collectives::System;
using enum Importance;

Cell link_cell(const std::optional<collectives::LinkUse>& use) {
  return use ? stated(use->link) : Cell();
}

Fields<System> system_fields() {
  return {
      {"system", "system", [](const System& s) { return Cell(s.id); }, essential},
      {"gpu", "GPU", [](const System& s) { return stated(s.gpu); }, essential},
      {"gpus", "GPUs of a node", [](const System& s) { return Cell(s.gpus); }, essential},
      {"link", "link", [](const System& s) { return stated(s.inside.link); }},
      {"pairs", "between pairs", [](const System& s) { return link_cell(s.pairs); }},
      {"network", "network", [](const System& s) { return link_cell(s.network); }},
      {"cards", "cards of a node", [](const System& s) { return Cell(s.cards); }},
  };
}

}  // namespace

Table systems_table(const collectives::Systems& systems) {
  return table_of(system_fields(), systems.all());
}

Result description(const System& system) {
  return description_result("system", facts_of(system_fields(), system));
}

}  // namespace sextant::report
