// What a network costs, for people and for programs: per-operator table, totals, JSON, Graphviz.
#pragma once

#include <string>

#include "sextant/ask/net_summary.h"
#include "sextant/core/json.h"
#include "sextant/report/table.h"

namespace sextant::report {

Table operators_table(const ask::NetSummary& summary);
Table totals_table(const ask::NetSummary& summary);  // name and value
Json to_json(const ask::NetSummary& summary);
std::string to_dot(const nets::Graph& graph);

}  // namespace sextant::report
