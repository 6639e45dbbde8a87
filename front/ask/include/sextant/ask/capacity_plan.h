// What to rent and who runs on it: an instance, decided by one method or by several.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sextant/capacity/decision.h"
#include "sextant/capacity/instance.h"

namespace sextant::ask {

struct CapacityQuestion {
  std::string instance = {};  // path of the file
  std::vector<std::string> methods = {"sextant"};
  std::optional<double> risk = {};         // instead of the file's
  std::optional<std::string> budget = {};  // the same: "12 USD/h"
  std::optional<std::string> cost = {};    // "makespan", "first-end", "period"
  bool explain = false;
  std::uint64_t seed = 0;
};

// One job on its nodes.
struct PlannedJob {
  std::string job;
  std::string machine;
  std::vector<std::int32_t> nodes = {};
  std::vector<std::int32_t> node_gpus = {};  // on each of them
  std::int32_t gpus = 0;
  Seconds start{};
  Seconds end{};
  Seconds due{std::numeric_limits<double>::infinity()};
  std::optional<Seconds> late_end{};  // the quantile that counts against the due date, if it is another time
  Seconds tardiness{};
  Dollars cost{};  // its share of its nodes, and its tardiness
};

// A job that waits.
struct PostponedJob {
  std::string job;
  Dollars cost{};  // that the model puts on waiting
  bool refused = false;
  std::string reason = {};  // if explanations were asked for
  std::string remedy = {};  // what would let it run
};

struct MethodPlan {
  std::string method;
  capacity::DecisionCost cost = {};
  Dollars bound{};  // no plan costs less
  double gap = 0;   // between cost and bound, as a share of the cost
  Seconds solve{};
  std::vector<std::int32_t> node_gpus = {};  // that each node has; 0: it is off
  std::vector<PlannedJob> jobs = {};
  std::vector<PostponedJob> postponed = {};
};

struct CapacityAnswer {
  std::string name;
  std::int64_t nodes = 0;
  std::int64_t jobs = 0;
  std::vector<MethodPlan> plans = {};  // cheapest first
  std::string tightest = {};           // nothing can run: what has to give
  std::vector<std::string> notes = {};
};

CapacityAnswer plan_capacity(const CapacityQuestion& question, const catalog::Catalog& catalog);

}  // namespace sextant::ask
