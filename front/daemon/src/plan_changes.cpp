#include <algorithm>
#include <nlohmann/json.hpp>

#include "books_json.h"
#include "job_changes.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::daemon {
namespace {

constexpr std::int32_t kMostFailures = 3;  // to start, one after another
constexpr Seconds kPauseAfterFailure{2};   // what failed at once would fail again at once

bool in_use(const Books& books, const std::string& node) {
  return std::ranges::any_of(books.live, [&](std::size_t place) {
    const DaemonJob& job = books.jobs[place];
    return holds_gpus(job.phase) && job.stretch &&
           std::ranges::find(job.stretch->shares, node, &NodeShare::node) != job.stretch->shares.end();
  });
}

void check_replaceable(const Books& books, const NodesOrder& order) {
  if (!books.steps.empty())
    throw http::Refusal(409, "a decision is being carried out", "", "try again in a moment");
  for (const DaemonNode& node : books.nodes) {
    const auto kept = std::ranges::find(order.nodes, node.name, &DaemonNode::name);
    const bool same = kept != order.nodes.end() && order.machines.contains(node.machine) &&
                      (kept->only.empty() || kept->only == node.machine);
    if (same || node.machine.empty()) continue;
    if (in_use(books, node.name))
      throw http::Refusal(409, "jobs run on node '" + node.name + "' as a " + node.machine, "nodes",
                          "mark it as down first, or let them end");
  }
}

void switch_off(Page& page, DaemonNode& node) {
  const auto machine = page.books.machines.find(node.machine);
  if (machine == page.books.machines.end()) return;
  page.books.spent += node_cost(node, machine->second, page.now);
  page.store.put_count("spent", page.books.spent.value);
  node.machine.clear();
  node.on_since = node.paid_until = {};
}

void lose_jobs_on(Page& page, const std::string& node) {
  for (const std::size_t place : page.books.live) {
    DaemonJob& job = page.books.jobs[place];
    if (job.phase != Phase::running || !job.stretch) continue;
    const auto& shares = job.stretch->shares;
    if (std::ranges::find(shares, node, &NodeShare::node) != shares.end())
      lose_job(page, job, "node " + node + " is down");
  }
}

void note_refusals(Page& page, const NamedDecision& decision) {
  for (const std::string& id : decision.refused) {
    DaemonJob* job = page.books.find(id);
    if (job != nullptr && job->phase == Phase::waiting)
      close_job(page, *job, Phase::refused, "its due date cannot be kept, and admission was asked for");
  }
}

void note_admissions(Page& page, const NamedDecision& decision) {
  for (const std::string& id : decision.admitted) {
    DaemonJob* job = page.books.find(id);
    if (job == nullptr || job->promised || is_over(job->phase)) continue;
    job->promised = true;
    page.store.put(*job);
    page.note("admitted", "its due date can be kept", id);
  }
}

void begin(Page& page, const Step& step) {
  if (step.job.empty()) return;
  DaemonJob& job = *page.books.find(step.job);
  if (step.kind == StepKind::stop) {
    job.after_stop = Phase::waiting;
    job.done = done_by(job, page.now);
    job.done_at = page.now;
    job.phase = Phase::stopping;
  } else if (job.phase == Phase::waiting) {  // one that moves is stopped first
    job.phase = Phase::starting;
  }
  job.reason = step.reason;
  page.store.put(job);
}

void settle_start(Page& page, const Step& step, const StepOutcome& outcome) {
  DaemonJob& job = *page.books.find(step.job);
  if (!outcome.done) {
    ++job.failures;
    job.phase = Phase::waiting;
    job.reason = outcome.text;
    if (job.failures >= kMostFailures)
      return close_job(page, job, Phase::failed, "it cannot be started: " + outcome.text);
    return page.store.put(job);
  }
  job.failures = 0;
  ++job.starts;
  job.phase = Phase::running;
  job.reason = step.reason;
  job.done_at = page.now;
  job.stretch = Stretch{.machine = step.machine,
                        .gpus = step.gpus,
                        .shares = step.shares,
                        .since = page.now,
                        .key = step.key,
                        .reference = outcome.text};
  page.store.put(job);
}

void settle_stop(Page& page, const Step& step, const StepOutcome& outcome) {
  DaemonJob& job = *page.books.find(step.job);
  if (!outcome.done) {
    job.phase = Phase::running;
    return page.store.put(job);
  }
  if (outcome.exit) {
    const Phase ended = *outcome.exit == 0 ? Phase::finished : Phase::failed;
    return close_job(page, job, ended,
                     "it had ended by itself, with exit code " + std::to_string(*outcome.exit));
  }
  job.stretch.reset();
  if (is_over(job.after_stop)) return close_job(page, job, job.after_stop, job.reason);
  const bool moves = std::ranges::any_of(
      page.books.steps, [&](const Step& s) { return s.kind == StepKind::start && s.job == job.order.id; });
  job.phase = moves ? Phase::starting : Phase::waiting;
  job.done_at = page.now;
  page.store.put(job);
}

void settle_node(Page& page, const Step& step, const StepOutcome& outcome) {
  DaemonNode* node = page.books.find_node(step.node);
  if (node == nullptr || !outcome.done) return;
  if (step.kind == StepKind::node_off) {
    switch_off(page, *node);
  } else {
    node->machine = step.machine;
    node->on_since = page.now;
    node->paid_until = page.now + page.books.machines.at(step.machine).minimum_billing;
  }
  page.store.put(*node);
}

// Steps that rest on one that failed are not tried: the next decision starts from what is.
void drop_rest(Page& page, std::int64_t decision) {
  auto& steps = page.books.steps;
  for (const Step& step : steps) {
    if (step.decision != decision || decision == 0) continue;
    page.store.end(step, StepEnd::dropped);
    page.note("dropped", "a step before it failed", step.job, step.key);
    DaemonJob* job = step.job.empty() ? nullptr : page.books.find(step.job);
    if (job == nullptr) continue;
    if (step.kind == StepKind::stop) job->phase = Phase::running;
    if (step.kind == StepKind::start && job->phase == Phase::starting) job->phase = Phase::waiting;
    page.store.put(*job);
  }
  std::erase_if(steps, [&](const Step& step) { return step.decision == decision && decision != 0; });
}

}  // namespace

bool same_nodes(const Books& books, const NodesOrder& order) {
  const auto same_machine = [](const auto& a, const auto& b) {
    return a.first == b.first && machine_json(a.second) == machine_json(b.second);
  };
  const auto same_node = [](const DaemonNode& a, const DaemonNode& b) {
    return a.name == b.name && a.only == b.only && a.down == b.down;
  };
  return std::ranges::equal(books.machines, order.machines, same_machine) &&
         std::ranges::equal(books.nodes, order.nodes, same_node);
}

void replace_nodes(Page& page, NodesOrder order) {
  Books& books = page.books;
  check_replaceable(books, order);
  for (DaemonNode& node : order.nodes) {
    if (const DaemonNode* old = books.find_node(node.name)) {
      node.machine = old->machine;
      node.on_since = old->on_since;
      node.paid_until = old->paid_until;
    }
    if (node.down) lose_jobs_on(page, node.name);
  }
  for (DaemonNode& old : books.nodes) {
    const auto kept = std::ranges::find(order.nodes, old.name, &DaemonNode::name);
    const bool stays = kept != order.nodes.end() && !kept->down && order.machines.contains(old.machine) &&
                       (kept->only.empty() || kept->only == old.machine);
    if (stays) continue;
    switch_off(page, old);
    if (kept != order.nodes.end()) {
      kept->machine.clear();
      kept->on_since = kept->paid_until = {};
    }
  }
  books.machines = std::move(order.machines);
  books.nodes = std::move(order.nodes);
  page.store.replace_machines(books);
  page.note("nodes", std::to_string(books.nodes.size()) + " nodes, " + std::to_string(books.machines.size()) +
                         " machine types");
}

std::size_t adopt(Page& page, const NamedDecision& decision, const DecisionNote& note) {
  Books& books = page.books;
  note_refusals(page, decision);
  note_admissions(page, decision);
  std::vector<Step> steps = steps_of(books, decision, page.now);
  if (steps.empty()) return 0;
  ++books.decisions;
  page.store.put_count("decisions", static_cast<double>(books.decisions));
  page.note("decided", "decision " + std::to_string(books.decisions) + " by " + note.method + " in " +
                           human(note.solve) + ": " + std::to_string(steps.size()) + " steps; costs " +
                           human(note.cost) + " by the model");
  for (Step& step : steps) {
    step.seq = books.next_step++;
    step.decision = books.decisions;
    step.key = books.name + "-" + std::to_string(step.seq);
    page.store.put(step);
    page.note("intended", step_text(step.kind) + ": " + step.reason, step.job, step.key);
    begin(page, step);
    books.steps.push_back(step);
  }
  return steps.size();
}

void settle(Page& page, std::int64_t seq, const StepOutcome& outcome) {
  auto& steps = page.books.steps;
  const auto found = std::ranges::find(steps, seq, &Step::seq);
  if (found == steps.end()) return;
  const Step step = *found;
  steps.erase(found);
  page.store.end(step, outcome.done ? StepEnd::done : StepEnd::failed);
  page.note(!outcome.done     ? "failed"
            : outcome.adopted ? "found"
                              : "done",
            step_text(step.kind) + (outcome.text.empty() ? "" : ": " + outcome.text), step.job, step.key);
  if (step.kind == StepKind::start) {
    settle_start(page, step, outcome);
  } else if (step.kind == StepKind::stop) {
    settle_stop(page, step, outcome);
  } else {
    settle_node(page, step, outcome);
  }
  if (outcome.done) return;
  drop_rest(page, step.decision);
  page.books.pause_until = page.now + kPauseAfterFailure;
}

}  // namespace sextant::daemon
