// Between decisions and the columns of the program.
#include <algorithm>
#include <limits>
#include <numeric>

#include "exact_program.h"

namespace sextant::capacity {
namespace {

constexpr double kChosen = 0.5;

// The program orders nodes that are alike by price: dearest first.
std::vector<std::int32_t> order_of(const CostModel& model, const Decision& start) {
  std::vector<std::int32_t> order(start.nodes.size());
  std::iota(order.begin(), order.end(), 0);
  const Snapshot& snapshot = model.snapshot();
  const bool free = std::ranges::all_of(snapshot.nodes, [](const NodeState& node) {
    return node.type == kNone && node.only == kNone && !node.down;
  });
  const bool anywhere =
      std::ranges::all_of(snapshot.jobs, [](const JobState& job) { return job.nodes.empty(); });
  if (!free || !anywhere) return order;
  std::ranges::stable_sort(order, std::greater{}, [&](std::int32_t node) {
    const std::int32_t type = start.nodes[static_cast<std::size_t>(node)];
    return type == kNone ? -1.0 : model.rate(type, 0);
  });
  return order;
}

}  // namespace

std::vector<double> ExactProgram::start_values(const Decision& start) const {
  const std::vector<std::int32_t> order = order_of(*model_, start);
  std::vector<std::int32_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[at(order[i])] = static_cast<std::int32_t>(i);
  std::vector<double> values(program_.columns(), 0);
  std::vector<double> first(order.size(), std::numeric_limits<double>::infinity());
  std::vector<double> last(order.size(), 0);
  std::vector<std::int32_t> first_job(order.size(), kNone);
  for (const std::size_t waits : waits_) values[waits] = 1;
  for (const Assignment& assignment : start.run) {
    values[waits_[at(assignment.job)]] = 0;
    for (const Share& share : assignment.shares) {
      const std::int32_t node = place[at(share.node)];
      const auto use = std::ranges::find_if(uses_, [&](const Use& u) {
        return u.job == assignment.job && u.option == assignment.option && u.node == node;
      });
      if (use == uses_.end()) return {};
      values[use->column] = 1;
      last[at(node)] = std::max(last[at(node)], time(*use));
      if (time(*use) < first[at(node)]) {
        first[at(node)] = time(*use);
        first_job[at(node)] = assignment.job;
      }
      values[is_type_[at(node)][at(start.nodes[at(share.node)])]] = 1;
      values[paid_[at(node)]] = model_->node_cost({.node = node,
                                                   .type = start.nodes[at(share.node)],
                                                   .used = 1,
                                                   .first = first[at(node)],
                                                   .last = last[at(node)]});
    }
  }
  for (const Use& use : wide_) {
    for (const Assignment& assignment : start.run) {
      if (assignment.job == use.job && assignment.option == use.option) values[use.column] = 1;
    }
  }
  for (const FirstEnd& end : first_ends_) values[end.column] = first_job[at(end.node)] == end.job ? 1 : 0;
  return values;
}

Decision ExactProgram::decision(const std::vector<double>& values) const {
  Decision decision;
  const std::size_t nodes = is_type_.size();
  decision.nodes.assign(nodes, kNone);
  std::vector<Assignment> all(model_->snapshot().jobs.size());
  std::vector<std::int32_t> left(all.size(), 0);
  for (const Use& use : uses_) {
    if (values[use.column] < kChosen) continue;
    const OptionCost& option = model_->option(use.job, use.option);
    Assignment& assignment = all[at(use.job)];
    if (assignment.job == kNone) left[at(use.job)] = option.gpus;
    assignment.job = use.job;
    assignment.option = use.option;
    const std::int32_t gpus = std::min(left[at(use.job)], model_->snapshot().types[at(option.type)].gpus);
    assignment.shares.push_back({use.node, gpus});
    left[at(use.job)] -= gpus;
    decision.nodes[at(use.node)] = option.type;
  }
  for (Assignment& assignment : all) {
    if (assignment.job != kNone) decision.run.push_back(std::move(assignment));
  }
  return decision;
}

Decision ExactProgram::solve(const Decision& start, const solve::SolveLimits& limits) {
  solve::SolveLimits from = limits;
  from.start = start_values(start);
  const solve::Solution solution = program_.solve(from);
  Decision best = start;
  if (!solution.columns.empty()) {
    Decision found = decision(solution.columns);
    const bool better =
        cost_of(model_->snapshot(), found).total() < cost_of(model_->snapshot(), start).total();
    if (better && fault_of(model_->snapshot(), found).empty()) best = std::move(found);
  }
  best.bound = solution.bound;
  return best;
}

}  // namespace sextant::capacity
