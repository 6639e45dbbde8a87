#include "plan_answer.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "books_json.h"
#include "planning.h"

namespace sextant::daemon {
namespace {

constexpr std::size_t kMostWaitingShown = 1000;

Json assignment_json(const DaemonJob& job, Seconds now) {
  const Stretch& stretch = *job.stretch;
  const Seconds time = whole_time(job).value_or(Seconds{0});
  const Seconds end = now + (1 - done_by(job, now)) * time;
  const double late = std::max(0.0, (end - job.order.due).value);
  return {{"job", job.order.id},
          {"machine", stretch.machine},
          {"gpus", stretch.gpus},
          {"shares", shares_json(stretch.shares)},
          {"state", phase_text(job.phase)},
          {"start_unix_s", stretch.since.value},
          {"end_unix_s", end.value},
          {"tardiness_s", late},
          {"reason", job.reason}};
}

}  // namespace

Json plan_answer(const Books& books, Seconds now) {
  const WaitingReasons reasons(books);
  Json assignments = Json::array();
  Json waiting = Json::array();
  std::int64_t count = 0;
  for (const std::size_t place : books.live) {
    const DaemonJob& job = books.jobs[place];
    if (holds_gpus(job.phase) && job.stretch) assignments.push_back(assignment_json(job, now));
    if (job.phase != Phase::waiting) continue;
    ++count;
    if (waiting.size() < kMostWaitingShown)
      waiting.push_back({{"job", job.order.id}, {"reason", reasons.of(job)}});
  }
  Json steps = Json::array();
  for (const Step& step : books.steps) steps.push_back(step_json(step));
  return {{"at_unix_s", now.value},
          {"decision", books.decisions},
          {"spent_usd", books.spent_until(now).value},
          {"assignments", std::move(assignments)},
          {"waiting", std::move(waiting)},
          {"waiting_count", count},
          {"steps", std::move(steps)}};
}

void declare_plan_metrics(http::Metrics& metrics) {
  using Kind = http::MetricInfo::Kind;
  metrics.declare({"sextant_plan_jobs", "Jobs by state.", Kind::gauge});
  metrics.declare({"sextant_plan_nodes_on", "Nodes that are switched on, by machine type.", Kind::gauge});
  metrics.declare({"sextant_plan_gpus_used", "GPUs that jobs have.", Kind::gauge});
  metrics.declare({"sextant_plan_spent_usd", "Dollars spent on nodes.", Kind::gauge});
  metrics.declare({"sextant_plan_steps_open", "Steps that are intended and not confirmed.", Kind::gauge});
  metrics.declare(
      {"sextant_plan_decisions_total", "Decisions made, those that change nothing included.", Kind::counter});
  metrics.declare({"sextant_plan_decision_seconds",
                   "Time that a decision takes.",
                   Kind::histogram,
                   {0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10}});
  metrics.declare({"sextant_plan_steps_total", "Steps carried out, by kind and outcome.", Kind::counter});
}

void measure_books(const Books& books, Seconds now, http::Metrics& metrics) {
  std::map<Phase, double> phases;
  double used = 0;
  for (const DaemonJob& job : books.jobs) {
    phases[job.phase] += 1;
    if (holds_gpus(job.phase) && job.stretch) used += job.stretch->gpus;
  }
  for (const std::string& text : phase_texts())
    metrics.set("sextant_plan_jobs", phases[phase_of(text)], {{"state", text}});
  std::map<std::string, double> on;
  for (const auto& [name, machine] : books.machines) on[name] = 0;
  for (const DaemonNode& node : books.nodes) {
    if (!node.machine.empty()) on[node.machine] += 1;
  }
  for (const auto& [name, count] : on) metrics.set("sextant_plan_nodes_on", count, {{"machine", name}});
  metrics.set("sextant_plan_gpus_used", used);
  metrics.set("sextant_plan_spent_usd", books.spent_until(now).value);
  metrics.set("sextant_plan_steps_open", static_cast<double>(books.steps.size()));
}

}  // namespace sextant::daemon
