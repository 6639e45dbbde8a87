// What a network costs, for people and for programs: per-operator table, totals, JSON, Graphviz.
#pragma once

#include <string>

#include "sextant/core/json.h"
#include "sextant/core/precision.h"
#include "sextant/nets/cost.h"
#include "sextant/nets/network.h"
#include "sextant/report/table.h"

namespace sextant {

struct NetSummary {
  const Network& network;
  Sizes sizes;
  Precision precision = Precision::fp32;
  const Graph& graph;
  const GraphCost& cost;
};

Table operators_table(const NetSummary& summary);
Table totals_table(const NetSummary& summary);  // name and value
Json to_json(const NetSummary& summary);
std::string to_dot(const Graph& graph);

}  // namespace sextant
