// From the fields of a question about shared clusters to a plan of runs.
#include "simulate_fields.h"

#include <algorithm>

#include "known_text.h"
#include "sextant/core/plugin_text.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/simulate/fault.h"
#include "sextant/simulate/placement_rule.h"

namespace sextant::ask {
namespace {

// Gavel's simulator knows none of these: a field that changes nothing would be taken for one that does.
void refuse_beside_gavel(const SimulateQuestion& question) {
  const SimulateQuestion usual;
  const std::vector<std::pair<const char*, bool>> given = {
      {"mechanism", question.mechanism.has_value()},
      {"reallocate", question.reallocate != usual.reallocate},
      {"placement", question.placement != usual.placement},
      {"startup", question.startup != usual.startup},
      {"restart", question.restart != usual.restart},
      {"faults", !question.faults.empty()},
      {"checkpoint", question.checkpoint.has_value()},
      {"checkpoint_cost", question.checkpoint_cost != usual.checkpoint_cost},
      {"until", question.until.has_value()},
      {"plan_by", question.plan_by != usual.plan_by},
      {"keep_timeline", question.keep_timeline},
      {"keep_utilization", question.keep_utilization}};
  for (const auto& [name, is_given] : given) {
    if (is_given) throw InputError(at_field(name), "Gavel's simulator has none: leave it out");
  }
}

void refuse_simulate_contradictions(const SimulateQuestion& question) {
  if (question.trace.has_value() == question.generate.has_value()) {
    throw InputError({}, question.trace ? "give `trace` or `generate`, not both" : "there are no jobs to run",
                     "`trace` FILE, or `generate` gavel:jobs=500");
  }
  if (question.clusters.empty())
    throw InputError(at_field("cluster"), "the cluster is missing: which GPUs are there?");
  if (question.seeds < 1) throw InputError(at_field("seeds"), "the number of seeds is not above 0");
  if (question.predict && question.throughputs) {
    throw InputError(at_field("predict"),
                     "`predict` contradicts `throughputs`: speeds come from one of them");
  }
  if (question.estimates && (question.predict || question.throughputs)) {
    throw InputError(at_field("estimates"), "stated run times need neither `throughputs` nor `predict`");
  }
  refuse_unknown(question.plan_by, {"run-times", "limits"}, at_field("plan_by"));
  if (question.plan_by == "limits" && question.estimates) {
    throw InputError(at_field("plan_by"),
                     "`plan_by` contradicts `estimates`: jobs that run for their limits are known");
  }
  if (question.gavel_compatible) refuse_beside_gavel(question);
  if (question.replay_allocations && !question.gavel_compatible) {
    throw InputError(at_field("replay_allocations"),
                     "`replay_allocations` needs `gavel_compatible`: the shares were recorded there");
  }
}

std::vector<double> arrival_loads(const SimulateQuestion& question) {
  std::vector<double> loads;
  for (const std::string& text : question.loads) {
    const auto load = to_number(text);
    if (!load || !(*load >= 1e-6 && *load <= 1e6)) {
      throw InputError(at_field("load"), "'" + text + "' is no load", "from 1e-6 to 1e6; 2 halves the gaps");
    }
    loads.push_back(*load);
  }
  return loads;
}

simulate::JobWindow job_window_of(const SimulateQuestion& question) {
  if (!question.window || *question.window == "auto") return {};
  const std::vector<std::string> ends = split(*question.window, ':');
  const auto first = ends.size() == 2 ? to_integer(ends[0]) : std::nullopt;
  const auto last = ends.size() == 2 ? to_integer(ends[1]) : std::nullopt;
  if (!first || !last || *first < 0 || *last <= *first) {
    throw InputError(at_field("window"), "'" + *question.window + "' is no range of jobs",
                     "as in 4000:5000, or auto");
  }
  return {.first = *first, .last = *last};
}

simulate::CheckpointPlan checkpoint_plan_of(const SimulateQuestion& question) {
  simulate::CheckpointPlan plan;
  plan.cost = waiting_seconds(question.checkpoint_cost, at_field("checkpoint_cost"));
  if (!question.checkpoint || *question.checkpoint == "none") return plan;
  if (*question.checkpoint == "young" || *question.checkpoint == "daly") {
    plan.rule =
        *question.checkpoint == "young" ? simulate::CheckpointRule::young : simulate::CheckpointRule::daly;
    if (plan.cost <= Seconds{0}) {
      throw InputError(at_field("checkpoint"), "the best interval follows from what a checkpoint costs",
                       "give `checkpoint_cost`");
    }
    return plan;
  }
  plan.rule = simulate::CheckpointRule::fixed;
  plan.every = waiting_seconds(*question.checkpoint, at_field("checkpoint"));
  if (plan.every <= Seconds{0})
    throw InputError(at_field("checkpoint"), "the interval between two checkpoints must be above 0");
  return plan;
}

std::vector<schedule::PolicyChoice> policy_choices_of(const SimulateQuestion& question) {
  std::vector<schedule::PolicyChoice> choices;
  for (const std::string& text : question.policies) {
    schedule::PolicyChoice choice = question.gavel_compatible
                                        ? schedule::parse_gavel_policy(text, at_field("policy"))
                                        : schedule::parse_policy(text, at_field("policy"));
    if (question.gavel_compatible && choice.policy->share == nullptr) {
      throw InputError(at_field("policy"),
                       "'" + choice.policy->id + "' gives no shares of time, as Gavel's rounds need",
                       "for example fifo_perf, isolated, max_min_fairness_perf");
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

// Where nobody says, policies that give shares of time decide in rounds, and all others at every event.
std::string mechanism_of(const SimulateQuestion& question, const schedule::PolicyInfo& policy) {
  if (question.gavel_compatible) return "gavel";
  const bool needs_rounds = policy.queue == nullptr;
  if (!question.mechanism) return needs_rounds ? "rounds" : "event";
  if (*question.mechanism == "rounds") return "rounds";
  if (*question.mechanism != "event") {
    throw InputError(at_field("mechanism"), "'" + *question.mechanism + "' is no mechanism",
                     "event or rounds");
  }
  if (needs_rounds) {
    throw InputError(at_field("mechanism"),
                     "the policy '" + policy.id + "' gives shares of time, which need rounds",
                     "leave `mechanism` out, or give `mechanism` rounds");
  }
  return "event";
}

simulate::RunOptions run_options_of(const SimulateQuestion& question) {
  simulate::RunOptions run;
  run.round = waiting_seconds(question.round, at_field("round"));
  if (run.round < Seconds{1e-3})
    throw InputError(at_field("round"), "a round must take at least a millisecond");
  run.reallocate = waiting_seconds(question.reallocate, at_field("reallocate"));
  run.placement = simulate::placements().get(question.placement, at_field("placement")).id;
  run.startup = waiting_seconds(question.startup, at_field("startup"));
  run.restart = waiting_seconds(question.restart, at_field("restart"));
  run.checkpoint = checkpoint_plan_of(question);
  run.faults = question.faults;
  for (const std::string& text : run.faults) {
    const PluginText parts = split_plugin_text(text, at_field("faults"));
    parameters_of(simulate::faults().get(parts.id, at_field("faults")), parts, at_field("faults"));
  }
  if (question.until) run.until = waiting_seconds(*question.until, at_field("until"));
  run.series = question.keep_utilization || question.keep_timeline;
  run.segments = question.keep_timeline;
  return run;
}

}  // namespace

Seconds waiting_seconds(const std::string& text, const SourcePos& at) {
  const auto plain = to_number(text);
  const double value = plain ? *plain : parse_seconds(text, at).value;
  if (!(value >= 0 && value < 1e12)) throw InputError(at, "'" + text + "' is no time that can be waited for");
  return Seconds{value};
}

simulate::SweepPlan sweep_plan(const SimulateQuestion& question, const catalog::Catalog& catalog) {
  refuse_simulate_contradictions(question);
  simulate::SweepPlan plan;
  plan.policies = policy_choices_of(question);
  plan.loads = arrival_loads(question);
  plan.window = job_window_of(question);
  plan.warm_up = question.window == "auto";
  for (const schedule::PolicyChoice& choice : plan.policies) {
    plan.mechanisms.push_back(mechanism_of(question, *choice.policy));
  }
  plan.run = run_options_of(question);
  for (const std::string& text : question.clusters) {
    plan.clusters.push_back(clusters::parse_cluster(text, catalog, at_field("cluster")));
  }
  plan.first_seed = question.seed;
  plan.seeds = question.seeds;
  plan.estimates = question.estimates;
  plan.plan_by_limits = question.plan_by == "limits";
  plan.keep_jobs = question.keep_jobs || question.keep_timeline;
  plan.threads = static_cast<std::size_t>(question.threads);
  return plan;
}

}  // namespace sextant::ask
