#include "sextant/report/capacity_report.h"

#include <nlohmann/json.hpp>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::report {
namespace {

using ask::CapacityAnswer;
using ask::MethodPlan;
using ask::PlannedJob;
using ask::PostponedJob;
using enum Importance;

constexpr double kProved = 1e-4;  // a gap that is rounding
constexpr double kSayable = 0.5;  // a larger one says nothing of the plan

std::string nodes_text(const PlannedJob& job) {
  std::vector<std::string> nodes;
  for (const std::int32_t node : job.nodes) nodes.push_back(std::to_string(node));
  return join(nodes, "+");
}

Cell nodes_cell(const PlannedJob& job) {
  if (job.nodes.size() == 1) return {static_cast<std::int64_t>(job.nodes.front())};
  return Cell::nested(Json(job.nodes), nodes_text(job));
}

Cell tardiness_cell(const PlannedJob& job) {
  Cell cell(job.tardiness);
  if (job.tardiness == Seconds{}) cell.shown = "-";
  return cell;
}

Fields<PlannedJob> planned_fields() {
  return {
      {"node", "node", [](const PlannedJob& j) { return nodes_cell(j); }, identity},
      {"machine", "machine", [](const PlannedJob& j) { return Cell(j.machine); }, essential},
      {"job", "job", [](const PlannedJob& j) { return Cell(j.job); }, identity},
      {"gpus", "GPUs", [](const PlannedJob& j) { return Cell(static_cast<std::int64_t>(j.gpus)); },
       essential},
      {"start_s", "start", [](const PlannedJob& j) { return Cell(j.start); }},
      {"end_s", "end", [](const PlannedJob& j) { return Cell(j.end); }, essential},
      {"late_end_s", "at the latest", [](const PlannedJob& j) { return Cell(j.late_end); }},
      {"tardiness_s", "tardiness", [](const PlannedJob& j) { return tardiness_cell(j); }},
      {"cost_usd", "cost", [](const PlannedJob& j) { return Cell(j.cost); }, essential},
  };
}

Fields<PostponedJob> postponed_fields() {
  return {
      {"job", "waits", [](const PostponedJob& j) { return Cell(j.job); }, identity},
      {"cost_usd", "cost of waiting", [](const PostponedJob& j) { return Cell(j.cost); }},
      {"refused", "refused",
       [](const PostponedJob& j) {
         Cell cell(j.refused);
         cell.shown = j.refused ? "refused" : "";
         return cell;
       }},
      {"reason", "because", [](const PostponedJob& j) { return j.reason.empty() ? Cell() : Cell(j.reason); },
       essential},
      {"remedy", "would run with",
       [](const PostponedJob& j) { return j.remedy.empty() ? Cell() : Cell(j.remedy); }, essential},
  };
}

struct PlanRow {
  const MethodPlan& plan;
  bool timed = true;
};

Fields<PlanRow> plan_fields() {
  using R = const PlanRow&;
  return {
      {"method", "method", [](R r) { return Cell(r.plan.method); }, identity},
      {"cost_usd", "cost", [](R r) { return Cell(r.plan.cost.total()); }, essential},
      {"vm_usd", "machines", [](R r) { return Cell(r.plan.cost.nodes); }},
      {"tardiness_usd", "tardiness", [](R r) { return Cell(r.plan.cost.tardiness); }},
      {"postponement_usd", "postponement", [](R r) { return Cell(r.plan.cost.postponement); }},
      {"bound_usd", "", [](R r) { return Cell(r.plan.bound); }, detail},
      {"gap", "gap", [](R r) { return percent_cell(r.plan.gap); }},
      {"solve_s", "", [](R r) { return r.timed ? Cell(r.plan.solve) : Cell(); }, detail},
      {"postponed", "wait",
       [](R r) {
         return Cell::nested(to_json(table_of(postponed_fields(), r.plan.postponed)),
                             std::to_string(r.plan.postponed.size()));
       }},
      {"assignments", "run",
       [](R r) {
         return Cell::nested(to_json(table_of(planned_fields(), r.plan.jobs)),
                             std::to_string(r.plan.jobs.size()));
       }},
  };
}

std::string count_text(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// Tardiness is an expectation where times are not known, and then never quite nothing.
constexpr Dollars kLeastShown{0.0005};

std::string parts_text(const MethodPlan& plan) {
  std::vector<std::string> parts = {human(plan.cost.nodes) + " for machines"};
  if (plan.cost.tardiness >= kLeastShown) parts.push_back(human(plan.cost.tardiness) + " for tardiness");
  if (plan.cost.postponement > Dollars{})
    parts.push_back(human(plan.cost.postponement) + " for jobs that wait");
  return join(parts, ", ");
}

// A plan is one decision: who waits is decided on again.
std::string put_off_text(const MethodPlan& plan) {
  constexpr std::size_t kMostNamed = 3;
  const std::size_t count = plan.postponed.size();
  std::vector<std::string> names;
  for (const PostponedJob& job : plan.postponed) names.push_back(job.job);
  const std::string who = count > kMostNamed ? std::to_string(count) + " jobs"
                                             : (count == 1 ? "job " : "jobs ") + join(names, ", ");
  return "Put off to a later decision, and not in that price: what " + who + " will cost then.";
}

std::vector<std::string> verdict(const CapacityAnswer& answer) {
  if (!answer.tightest.empty()) return {"Nothing can run: " + answer.tightest + "."};
  const MethodPlan& best = answer.plans.front();
  std::string line = best.method + " runs " + std::to_string(best.jobs.size()) + " of " +
                     count_text(answer.jobs, "job") + " on " + count_text(answer.nodes, "node") + " for " +
                     human(best.cost.total()) + " (" + parts_text(best) + ")";
  if (best.gap < kProved) {
    line += "; no plan is cheaper";
  } else if (best.gap < kSayable) {
    line += "; no plan is more than " + percent_words(best.gap) + " cheaper";
  }
  std::vector<std::string> lines = {line + "."};
  if (!best.postponed.empty()) lines.push_back(put_off_text(best));
  if (answer.plans.size() > 1) {
    const MethodPlan& next = answer.plans[1];
    const double more = next.cost.total() / best.cost.total() - 1;
    lines.push_back(more < 1e-9 ? "The plan of " + next.method + " costs as much."
                                : "The next, " + next.method + ", costs " + percent_words(more) + " more.");
  }
  return lines;
}

}  // namespace

Result capacity_result(const CapacityAnswer& answer, bool timed) {
  const MethodPlan& best = answer.plans.front();
  std::vector<PlanRow> rows;
  for (const MethodPlan& plan : answer.plans) rows.push_back({plan, timed});
  Table sentences;
  sentences.notes = verdict(answer);
  Table planned = table_of(planned_fields(), best.jobs);
  for (const std::string& note : answer.notes) planned.notes.push_back(note + ".");
  Result result{.schema = "sextant.capacity-plan/1",
                .sections = {{.table = planned, .shown = false},  // CSV is made of it
                             {.table = std::move(sentences)},
                             {.table = std::move(planned),
                              .shown = !best.jobs.empty(),
                              .title = "the plan of " + best.method},
                             {.key = "plans",
                              .table = table_of(plan_fields(), rows),
                              .shown = rows.size() > 1,
                              .title = "methods"},
                             {.table = table_of(postponed_fields(), best.postponed),
                              .shown = !best.postponed.empty() && answer.tightest.empty(),
                              .title = "jobs that wait"}},
                .facts = facts_of(plan_fields(), rows.front())};
  return result;
}

}  // namespace sextant::report
