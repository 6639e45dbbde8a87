// Jobs, nodes, machine types and steps as JSON: in the store, and for clients.
#pragma once

#include "books.h"
#include "sextant/core/json.h"

namespace sextant::daemon {

Json order_json(const JobOrder& order);
JobOrder order_of(const Json& json);
// All of a job that changes.
Json standing_json(const DaemonJob& job);
void read_standing(const Json& json, DaemonJob& job);
Json node_json(const DaemonNode& node);
DaemonNode node_of(const Json& json);
Json machine_json(const capacity::MachineType& machine);
capacity::MachineType machine_of(const Json& json);
Json step_json(const Step& step);
Step step_of(const Json& json);
Json shares_json(const std::vector<NodeShare>& shares);

}  // namespace sextant::daemon
