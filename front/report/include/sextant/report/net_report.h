// What a network costs: a row for each operator, the totals, and the graph for Graphviz.
#pragma once

#include <string>

#include "sextant/ask/net_summary.h"
#include "sextant/report/result.h"

namespace sextant::report {

// Operators, then the totals.
Result net_result(const ask::NetSummary& summary);
inline constexpr std::size_t kNetTotals = 1;  // their place among the sections
std::string to_dot(const nets::Graph& graph);

}  // namespace sextant::report
