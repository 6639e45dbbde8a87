#include "exact_program.h"

#include <algorithm>
#include <limits>

namespace sextant::capacity {
namespace {

constexpr std::size_t kNoColumn = std::numeric_limits<std::size_t>::max();

using solve::kUnbounded;
using solve::LinearTerm;

// Nodes that nothing tells apart, so that one order of them is as good as another.
bool alike(const Snapshot& snapshot, std::size_t a, std::size_t b) {
  const NodeState& x = snapshot.nodes[a];
  const NodeState& y = snapshot.nodes[b];
  if (x.type != kNone || y.type != kNone || x.only != y.only || x.down || y.down) return false;
  return std::ranges::all_of(snapshot.jobs, [](const JobState& job) { return job.nodes.empty(); });
}

}  // namespace

double ExactProgram::size(const CostModel& model) {
  double uses = 0;
  for (std::int32_t job = 0; at(job) < model.snapshot().jobs.size(); ++job) {
    uses += static_cast<double>(model.options(job).size());
  }
  return uses * static_cast<double>(model.snapshot().nodes.size());
}

ExactProgram::ExactProgram(const CostModel& model, solve::Solver solver)
    : model_(&model), program_(solve::Sense::minimise, solver) {
  add_nodes();
  add_uses();
  add_jobs();
  add_node_costs();
  add_limits();
  add_symmetry();
}

bool ExactProgram::moved(const Use& use) const {
  const JobState& job = model_->snapshot().jobs[at(use.job)];
  return job.running != use.option ||
         !std::ranges::any_of(job.shares, [&](const Share& share) { return share.node == use.node; });
}

double ExactProgram::time(const Use& use) const {
  return model_->option(use.job, use.option).time + (moved(use) ? model_->restart(use.job) : 0);
}

void ExactProgram::add_nodes() {
  const Snapshot& snapshot = model_->snapshot();
  for (std::size_t node = 0; node < snapshot.nodes.size(); ++node) {
    const NodeState& state = snapshot.nodes[node];
    std::vector<std::size_t> columns(snapshot.types.size(), kNoColumn);
    std::vector<LinearTerm> one;
    paid_.push_back(program_.add_column(1, 0, kUnbounded));
    for (std::int32_t type = 0; at(type) < snapshot.types.size(); ++type) {
      if (state.down || (state.only != kNone && state.only != type)) continue;
      columns[at(type)] = program_.add_column(0, 0, 1);
      program_.set_integer(columns[at(type)]);
      one.push_back({columns[at(type)], 1});
    }
    if (!one.empty()) program_.add_row(-kUnbounded, 1, one);
    is_type_.push_back(std::move(columns));
  }
}

void ExactProgram::add_uses() {
  const Snapshot& snapshot = model_->snapshot();
  for (std::int32_t job = 0; at(job) < snapshot.jobs.size(); ++job) {
    for (std::int32_t option = 0; at(option) < model_->options(job).size(); ++option) {
      if (model_->option(job, option).nodes > 1) {
        add_wide(job, option);
        continue;
      }
      for (std::int32_t node = 0; at(node) < snapshot.nodes.size(); ++node) add_use(job, option, node);
    }
  }
}

void ExactProgram::add_use(std::int32_t job, std::int32_t option, std::int32_t node) {
  const std::vector<std::int32_t>& only = model_->snapshot().jobs[at(job)].nodes;
  if (!only.empty() && std::ranges::find(only, node) == only.end()) return;
  const std::int32_t type = model_->option(job, option).type;
  if (is_type_[at(node)][at(type)] == kNoColumn) return;
  Use use{.job = job, .option = option, .node = node};
  const bool wide = model_->option(job, option).nodes > 1;
  const double cost = wide ? 0 : model_->tardiness(job, option, moved(use)) + model_->work(job, option);
  use.column = program_.add_column(cost, 0, 1);
  program_.set_integer(use.column);
  uses_.push_back(use);
}

void ExactProgram::add_wide(std::int32_t job, std::int32_t option) {
  const double cost = model_->tardiness(job, option, true) + model_->work(job, option);
  const std::size_t taken = program_.add_column(cost, 0, 1);
  program_.set_integer(taken);
  wide_.push_back({.job = job, .option = option, .node = kNone, .column = taken});
  const std::size_t first = uses_.size();
  for (std::int32_t node = 0; at(node) < model_->snapshot().nodes.size(); ++node) add_use(job, option, node);
  std::vector<LinearTerm> terms = {{taken, -static_cast<double>(model_->option(job, option).nodes)}};
  for (std::size_t i = first; i < uses_.size(); ++i) terms.push_back({uses_[i].column, 1});
  program_.add_row(0, 0, terms);
}

// Every job has one option, or waits.
void ExactProgram::add_jobs() {
  const auto jobs = model_->snapshot().jobs.size();
  std::vector<std::vector<LinearTerm>> terms(jobs);
  for (const Use& use : uses_) {
    if (model_->option(use.job, use.option).nodes == 1) terms[at(use.job)].push_back({use.column, 1});
  }
  for (const Use& use : wide_) terms[at(use.job)].push_back({use.column, 1});
  for (std::size_t job = 0; job < jobs; ++job) {
    waits_.push_back(program_.add_column(model_->postponement(static_cast<std::int32_t>(job)), 0, 1));
    terms[job].push_back({waits_.back(), 1});
    program_.add_row(1, 1, terms[job]);
  }
}

void ExactProgram::add_node_costs() {
  const Snapshot& snapshot = model_->snapshot();
  const auto jobs = snapshot.jobs.size();
  std::vector<std::vector<std::vector<const Use*>>> by_node(snapshot.nodes.size(),
                                                            std::vector<std::vector<const Use*>>(jobs));
  for (const Use& use : uses_) by_node[at(use.node)][at(use.job)].push_back(&use);
  for (std::int32_t node = 0; at(node) < snapshot.nodes.size(); ++node) {
    std::vector<LinearTerm> billing = {{paid_[at(node)], -1}};
    for (std::int32_t type = 0; at(type) < snapshot.types.size(); ++type) {
      const std::size_t is = is_type_[at(node)][at(type)];
      if (is == kNoColumn) continue;
      std::vector<LinearTerm> room = {{is, -static_cast<double>(snapshot.types[at(type)].gpus)}};
      for (const std::vector<const Use*>& uses : by_node[at(node)]) {
        std::vector<LinearTerm> together = {{is, -1}};
        for (const Use* use : uses) {
          const OptionCost& option = model_->option(use->job, use->option);
          if (option.type != type) continue;
          room.push_back(
              {use->column, static_cast<double>(std::min(option.gpus, snapshot.types[at(type)].gpus))});
          together.push_back({use->column, 1});
        }
        if (together.size() > 1) program_.add_row(-kUnbounded, 0, together);
      }
      program_.add_row(-kUnbounded, 0, room);
      double least = std::max(0.0, model_->billed(node, type));
      if (snapshot.wishes.cost == NodeCost::period) least = std::max(least, snapshot.wishes.period.value);
      billing.push_back({is, model_->rate(type, 0) * least});
    }
    program_.add_row(-kUnbounded, 0, billing);
    if (snapshot.wishes.cost == NodeCost::first_end) add_first_ends(node, by_node[at(node)]);
    if (snapshot.wishes.cost != NodeCost::makespan) continue;
    for (const std::vector<const Use*>& uses : by_node[at(node)]) {
      std::vector<LinearTerm> until = {{paid_[at(node)], -1}};
      for (const Use* use : uses) {
        until.push_back(
            {use->column, model_->rate(model_->option(use->job, use->option).type, 0) * time(*use)});
      }
      if (until.size() > 1) program_.add_row(-kUnbounded, 0, until);
    }
  }
}

// One job of the node is the first to end, and the node is paid until then; the program takes the one that
// ends first.
void ExactProgram::add_first_ends(std::int32_t node, const std::vector<std::vector<const Use*>>& by_job) {
  std::vector<LinearTerm> one;
  for (const std::size_t is : is_type_[at(node)]) {
    if (is != kNoColumn) one.push_back({is, -1});
  }
  for (std::size_t job = 0; job < by_job.size(); ++job) {
    if (by_job[job].empty()) continue;
    const std::size_t first = program_.add_column(0, 0, 1);
    program_.set_integer(first);
    first_ends_.push_back({first, static_cast<std::int32_t>(job), node});
    one.push_back({first, 1});
    std::vector<LinearTerm> there = {{first, 1}};
    std::vector<LinearTerm> until = {{paid_[at(node)], -1}};
    double most = 0;
    for (const Use* use : by_job[job]) {
      const double cost = model_->rate(model_->option(use->job, use->option).type, 0) * time(*use);
      there.push_back({use->column, -1});
      until.push_back({use->column, cost});
      most = std::max(most, cost);
    }
    program_.add_row(-kUnbounded, 0, there);
    until.push_back({first, most});
    program_.add_row(-kUnbounded, most, until);
  }
  program_.add_row(0, 0, one);
}

void ExactProgram::add_limits() {
  const Wishes& wishes = model_->snapshot().wishes;
  if (!wishes.budget && !wishes.power) return;
  std::vector<LinearTerm> rate;
  std::vector<LinearTerm> watts;
  for (const std::vector<std::size_t>& columns : is_type_) {
    for (std::int32_t type = 0; at(type) < columns.size(); ++type) {
      if (columns[at(type)] == kNoColumn) continue;
      rate.push_back({columns[at(type)], model_->rate(type, 0)});
      watts.push_back({columns[at(type)], model_->watts(type, 0).value});
    }
  }
  for (const Use& use : uses_) {
    const OptionCost& option = model_->option(use.job, use.option);
    const std::int32_t gpus = std::min(option.gpus, model_->snapshot().types[at(option.type)].gpus);
    rate.push_back({use.column, model_->rate(option.type, gpus) - model_->rate(option.type, 0)});
    watts.push_back({use.column, (model_->watts(option.type, gpus) - model_->watts(option.type, 0)).value});
  }
  if (wishes.budget) program_.add_row(-kUnbounded, wishes.budget->value, rate);
  if (wishes.power) program_.add_row(-kUnbounded, wishes.power->value, watts);
}

void ExactProgram::add_symmetry() {
  const Snapshot& snapshot = model_->snapshot();
  for (std::size_t node = 0; node + 1 < snapshot.nodes.size(); ++node) {
    if (!alike(snapshot, node, node + 1)) continue;
    std::vector<LinearTerm> order;
    for (std::int32_t type = 0; at(type) < snapshot.types.size(); ++type) {
      if (is_type_[node][at(type)] == kNoColumn) continue;
      order.push_back({is_type_[node][at(type)], model_->rate(type, 0)});
      order.push_back({is_type_[node + 1][at(type)], -model_->rate(type, 0)});
    }
    program_.add_row(0, kUnbounded, order);
  }
}

}  // namespace sextant::capacity
