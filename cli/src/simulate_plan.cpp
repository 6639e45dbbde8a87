// From the options of `sextant simulate` to a plan of runs.
#include <algorithm>

#include "catalog_option.h"
#include "sextant/core/plugin_text.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/jobs/generator.h"
#include "sextant/simulate/fault.h"
#include "sextant/simulate/placement_rule.h"
#include "sextant/simulate/predicted_speeds.h"
#include "simulate_args.h"

namespace sextant {
namespace {

// Gavel's simulator knows none of these: an option that changes nothing would be taken for one that does.
void refuse_beside_gavel(const SimulateArgs& args) {
  const SimulateArgs usual;
  const std::vector<std::pair<const char*, bool>> given = {
      {"mechanism", args.mechanism.has_value()},
      {"reallocate", args.reallocate != usual.reallocate},
      {"placement", args.placement != usual.placement},
      {"startup", args.startup != usual.startup},
      {"restart", args.restart != usual.restart},
      {"faults", !args.faults.empty()},
      {"checkpoint", args.checkpoint.has_value()},
      {"checkpoint-cost", args.checkpoint_cost != usual.checkpoint_cost},
      {"until", args.until.has_value()},
      {"timeline-out", args.timeline_out.has_value()},
      {"plot-utilization", args.plot_utilization.has_value()}};
  for (const auto& [name, is_given] : given) {
    if (is_given) throw InputError({std::string("--") + name}, "Gavel's simulator has none: leave it out");
  }
}

void refuse_contradictions(const SimulateArgs& args) {
  if (args.trace.has_value() == args.generate.has_value()) {
    throw InputError({}, args.trace ? "give --trace or --generate, not both" : "there are no jobs to run",
                     "--trace FILE, or --generate gavel:jobs=500");
  }
  if (args.predict && args.throughputs) {
    throw InputError({"--predict"}, "contradicts --throughputs: speeds come from one of them");
  }
  if (args.estimates && (args.predict || args.throughputs)) {
    throw InputError({"--estimates"}, "stated run times need neither --throughputs nor --predict");
  }
  if (args.gavel) refuse_beside_gavel(args);
  if (args.replay && !args.gavel) {
    throw InputError({"--replay-allocations"}, "needs --gavel-compatible: the shares were recorded there");
  }
}

// "0.5", "2.25 h"; plain numbers are seconds.
double seconds_of(const std::string& text, const SourcePos& at) {
  const auto plain = to_number(text);
  const double value = plain ? *plain : parse_seconds(text, at).value;
  if (!(value >= 0 && value < 1e12)) throw InputError(at, "'" + text + "' is no time that can be waited for");
  return value;
}

std::vector<double> loads_of(const SimulateArgs& args) {
  std::vector<double> loads;
  for (const std::string& text : args.loads) {
    const auto load = to_number(text);
    if (!load || !(*load >= 1e-6 && *load <= 1e6)) {
      throw InputError({"--load"}, "'" + text + "' is no load", "from 1e-6 to 1e6; 2 halves the gaps");
    }
    loads.push_back(*load);
  }
  return loads;
}

JobWindow window_of(const SimulateArgs& args) {
  if (!args.window || *args.window == "auto") return {};
  const std::vector<std::string> ends = split(*args.window, ':');
  const auto first = ends.size() == 2 ? to_integer(ends[0]) : std::nullopt;
  const auto last = ends.size() == 2 ? to_integer(ends[1]) : std::nullopt;
  if (!first || !last || *first < 0 || *last <= *first) {
    throw InputError({"--window"}, "'" + *args.window + "' is no range of jobs", "as in 4000:5000, or auto");
  }
  return {.first = *first, .last = *last};
}

CheckpointPlan checkpoint_of(const SimulateArgs& args) {
  CheckpointPlan plan;
  plan.cost_s = seconds_of(args.checkpoint_cost, {"--checkpoint-cost"});
  if (!args.checkpoint || *args.checkpoint == "none") return plan;
  if (*args.checkpoint == "young" || *args.checkpoint == "daly") {
    plan.rule = *args.checkpoint == "young" ? CheckpointRule::young : CheckpointRule::daly;
    if (plan.cost_s <= 0) {
      throw InputError({"--checkpoint"}, "the best interval follows from what a checkpoint costs",
                       "give --checkpoint-cost");
    }
    return plan;
  }
  plan.rule = CheckpointRule::fixed;
  plan.every_s = seconds_of(*args.checkpoint, {"--checkpoint"});
  if (plan.every_s <= 0)
    throw InputError({"--checkpoint"}, "an interval of 0 is all checkpoints and no work");
  return plan;
}

std::vector<PolicyChoice> policies_of(const SimulateArgs& args) {
  std::vector<PolicyChoice> choices;
  for (const std::string& text : args.policies) {
    PolicyChoice choice =
        args.gavel ? parse_gavel_policy(text, {"--policy"}) : parse_policy(text, {"--policy"});
    if (args.gavel && choice.policy->share == nullptr) {
      throw InputError({"--policy"},
                       "'" + choice.policy->id + "' gives no shares of time, as Gavel's rounds need",
                       "for example fifo_perf, isolated, max_min_fairness_perf");
    }
    choices.push_back(std::move(choice));
  }
  return choices;
}

Mechanism mechanism_of(const SimulateArgs& args, const std::vector<PolicyChoice>& policies) {
  const auto rounds_only = [](const PolicyChoice& p) { return p.policy->queue == nullptr; };
  const auto needs_rounds = std::ranges::find_if(policies, rounds_only);
  if (!args.mechanism) return needs_rounds == policies.end() ? Mechanism::event : Mechanism::rounds;
  if (*args.mechanism == "rounds") return Mechanism::rounds;
  if (needs_rounds != policies.end() && !args.gavel) {
    throw InputError({"--mechanism"},
                     "'" + needs_rounds->policy->id + "' gives shares of time, which need rounds",
                     "--mechanism rounds");
  }
  return Mechanism::event;
}

RunOptions run_options_of(const SimulateArgs& args, const std::vector<PolicyChoice>& policies) {
  RunOptions run;
  run.mechanism = mechanism_of(args, policies);
  run.round_s = seconds_of(args.round, {"--round"});
  if (run.round_s < 1e-3) throw InputError({"--round"}, "a round takes at least a millisecond");
  run.reallocate_s = seconds_of(args.reallocate, {"--reallocate"});
  run.placement = placements().get(args.placement, {"--placement"}).id;
  run.startup_s = seconds_of(args.startup, {"--startup"});
  run.restart_s = seconds_of(args.restart, {"--restart"});
  run.checkpoint = checkpoint_of(args);
  run.faults = args.faults;
  for (const std::string& text : run.faults) {
    const PluginText parts = split_plugin_text(text, {"--faults"});
    parameter_values(faults().get(parts.id, {"--faults"}), parts, {"--faults"});
  }
  if (args.until) run.until_s = seconds_of(*args.until, {"--until"});
  run.series = args.plot_utilization || args.timeline_out;
  run.segments = args.timeline_out.has_value();
  return run;
}

// A file gives the same jobs for every seed, a generator draws anew.
void set_trace(const SimulateArgs& args, SimulationInput& input) {
  if (args.trace) {
    auto trace = std::make_shared<const Trace>(read_trace(*args.trace, args.trace_format.value_or("")));
    input.notes = trace->notes;
    input.unit = trace->unit;
    input.plan.trace = [trace](std::uint64_t) { return trace; };
    return;
  }
  const Generator generator = parse_generator(*args.generate, {"--generate"});
  const ThroughputTable* table = input.table ? &*input.table : nullptr;
  input.unit = table != nullptr ? WorkUnit::steps : WorkUnit::reference_seconds;
  input.plan.trace = [generator, table](std::uint64_t seed) {
    return std::make_shared<const Trace>(generate_trace(generator, seed, table));
  };
}

void set_speeds(const SimulateArgs& args, SimulationInput& input) {
  if (input.table && input.unit == WorkUnit::steps) {
    input.plan.speeds = [&input](const ClusterSpec& cluster) {
      return speeds_from_table(*input.table, cluster);
    };
  }
  if (!args.predict) return;
  input.one_device = make_predictor(args.prediction, input.catalog);
  PredictedSpeedSetup setup{.catalog = &input.catalog, .one_device = input.one_device.get()};
  setup.job = job_of(args.prediction, 1);
  setup.network = args.network ? input.catalog.links.get(*args.network, {"--network"}).id : "";
  setup.unit = input.unit;
  input.plan.speeds = [setup](const ClusterSpec& cluster) { return speeds_from_prediction(setup, cluster); };
}

}  // namespace

std::unique_ptr<SimulationInput> simulation_input(const SimulateArgs& args, const Io& io,
                                                  const Globals& globals) {
  refuse_contradictions(args);
  auto input = std::make_unique<SimulationInput>(SimulationInput{.catalog = open_catalog(io, globals)});
  SweepPlan& plan = input->plan;
  plan.policies = policies_of(args);
  plan.loads = loads_of(args);
  plan.window = window_of(args);
  plan.warm_up = args.window == "auto";
  plan.run = run_options_of(args, plan.policies);
  for (const std::string& text : args.clusters) {
    plan.clusters.push_back(parse_cluster(text, input->catalog, {"--cluster"}));
  }
  plan.first_seed = static_cast<std::uint64_t>(globals.seed);
  plan.seeds = args.seeds;
  plan.gavel = args.gavel;
  plan.estimates = args.estimates;
  plan.keep_jobs = args.jobs_out || args.timeline_out || args.plot_jct;
  plan.threads = static_cast<std::size_t>(args.threads);
  if (args.throughputs) input->table = ThroughputTable::read_file(*args.throughputs);
  if (args.replay) {
    input->recorded = read_recorded_allocations(*args.replay, plan.clusters.front());
    plan.replay = &input->recorded;
  }
  set_trace(args, *input);
  set_speeds(args, *input);
  return input;
}

}  // namespace sextant
