// What clients say and hear: the bodies of requests and answers, declared once (http/schema.h), and read into
// values.
#pragma once

#include <string>
#include <vector>

#include "books.h"
#include "sextant/catalog/catalog.h"
#include "sextant/core/json.h"
#include "sextant/http/schema.h"

namespace sextant::daemon {

http::Schema job_order_schema();
http::Schema job_schema();
http::Schema job_list_schema();
http::Schema progress_schema();
http::Schema finish_schema();
http::Schema cancel_schema();
http::Schema explanation_schema();
http::Schema nodes_order_schema();
http::Schema nodes_schema();
http::Schema plan_schema();
http::Schema history_schema();

// What is known when a job is ordered.
struct OrderContext {
  const std::map<std::string, capacity::MachineType>& machines;
  const std::vector<DaemonNode>& nodes;
  const catalog::Catalog& catalog;
  Seconds now;
};
// A body that follows job_order_schema(). InputError at the field that is wrong: an unknown machine, a due
// date in the past, a job that fits nowhere. A network's times are predicted here.
JobOrder read_job_order(const Json& body, const OrderContext& context);

struct NodesOrder {
  std::map<std::string, capacity::MachineType> machines = {};
  std::vector<DaemonNode> nodes = {};
};
// A body that follows nodes_order_schema(); what it leaves out of a machine type is the catalogue's.
NodesOrder read_nodes_order(const Json& body, const catalog::Catalog& catalog);

Json job_answer(const DaemonJob& job, Seconds now);
Json nodes_answer(const Books& books);

}  // namespace sextant::daemon
