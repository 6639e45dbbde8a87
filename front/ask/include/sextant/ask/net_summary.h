// What a network costs, operator by operator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sextant/ask/job_fields.h"
#include "sextant/nets/cost.h"

namespace sextant::ask {

struct NetSummaryQuestion {
  NetFields net = {};
  std::int64_t batch = 1;  // samples in a step
  std::string precision = "fp32";
};

struct NetSummary {
  nets::Network network;
  nets::Sizes sizes;
  Precision precision = Precision::fp32;
  nets::Graph graph;
  nets::GraphCost cost;
  std::vector<std::string> warnings = {};
};

NetSummary summarize_net(const NetSummaryQuestion& question);

}  // namespace sextant::ask
