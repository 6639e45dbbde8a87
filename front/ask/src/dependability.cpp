#include "sextant/ask/dependability.h"

#include <algorithm>

#include "sextant/core/gzip.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::ask {
namespace {

using failures::FailureLog;

FailureLog chosen_log(const DependabilityQuestion& question) {
  const CsvTable table = CsvTable::parse(read_maybe_packed_file(question.log), question.log);
  std::vector<FailureLog> logs = failures::read_failure_logs(table, {.nodes = question.cluster_nodes});
  std::vector<std::string> names;
  for (const FailureLog& log : logs) names.push_back(log.name);
  if (!question.system) {
    if (logs.size() == 1) return std::move(logs.front());
    throw InputError(at_field("system"), "the log has " + std::to_string(logs.size()) + " systems: which?",
                     "one of: " + join(names, ", "));
  }
  const auto found = std::ranges::find(names, *question.system);
  if (found == names.end()) {
    throw InputError(at_field("system"), "the log has no system '" + *question.system + "'",
                     name_hint(*question.system, names));
  }
  return std::move(logs[static_cast<std::size_t>(found - names.begin())]);
}

// What is forecast from, and what it is compared with.
struct Halves {
  FailureLog past;
  std::optional<FailureLog> rest = {};
};

Halves halves_of(FailureLog log, const std::optional<double>& split) {
  if (!split) return {std::move(log)};
  if (!(*split > 0 && *split < 1))
    throw InputError(at_field("split"), "the share of the log to forecast from lies between 0 and 1");
  Halves halves{log.between(Seconds{0}, *split * log.period), log.between(*split * log.period, log.period)};
  if (halves.past.failures.size() > 1 && !halves.rest->failures.empty()) return halves;
  throw InputError(at_field("split"), "a part of the log has no failures to compare");
}

failures::InterruptionCosts costs_of(const DependabilityQuestion& question) {
  return {.checkpoint = parse_seconds(question.checkpoint_cost, at_field("checkpoint_cost")),
          .restart = parse_seconds(question.restart, at_field("restart"))};
}

struct RuleInterval {
  std::string rule;
  Seconds every{};
};

std::vector<RuleInterval> intervals_asked(const DependabilityQuestion& question,
                                          const failures::JobForecaster& forecaster, Seconds cost,
                                          Seconds mtbf) {
  std::vector<RuleInterval> asked = {{"best", forecaster.best_interval()},
                                     {"young", failures::young_interval(cost, mtbf)},
                                     {"daly", failures::daly_interval(cost, mtbf)}};
  for (const std::string& text : question.checkpoint) {
    asked.push_back({"given", parse_seconds(text, at_field("checkpoint"))});
    if (asked.back().every.value > 0) continue;
    throw InputError(at_field("checkpoint"), "the time between checkpoints must be above 0");
  }
  return asked;
}

void add_rows(const DependabilityQuestion& question, const Halves& halves, std::int64_t nodes,
              DependabilityAnswer& answer) {
  const failures::JobOnNodes job{.nodes = nodes, .costs = costs_of(question)};
  const Rng rng = Rng(question.seed).stream("dependability", static_cast<std::uint64_t>(nodes));
  const failures::JobForecaster past(halves.past, job, rng);
  std::optional<failures::JobForecaster> rest;
  if (halves.rest) rest.emplace(*halves.rest, job, rng);
  const Seconds mtbf = failures::mtbf_of_nodes(halves.past.node_mtbf(), nodes);
  for (auto& [rule, every] : intervals_asked(question, past, job.costs.checkpoint, mtbf)) {
    DependabilityRow row{.nodes = nodes,
                         .rule = rule,
                         .every = every,
                         .closed_form = closed_form_goodput(job.costs, every, mtbf),
                         .forecast = past.at(every)};
    if (rest) {
      row.replayed = rest->replayed(every);
      row.lost = std::max(0.0, rest->replayed(rest->best_interval()) - *row.replayed);
    }
    answer.rows.push_back(std::move(row));
  }
}

void add_warnings(const DependabilityQuestion& question, DependabilityAnswer& answer) {
  std::vector<bool> failed(static_cast<std::size_t>(answer.log.nodes), false);
  for (const failures::Failure& failure : answer.log.failures)
    failed[static_cast<std::size_t>(failure.node)] = true;
  const bool all = std::ranges::find(failed, false) == failed.end();
  if (all && !question.cluster_nodes) {
    answer.warnings.emplace_back(
        "every node that the log names has failed: where others never did, say with "
        "`cluster_nodes` how many nodes the cluster has");
  }
}

}  // namespace

DependabilityAnswer dependability(const DependabilityQuestion& question) {
  if (question.nodes.empty()) throw InputError(at_field("nodes"), "how many nodes does the job have?");
  Halves halves = halves_of(chosen_log(question), question.split);
  DependabilityAnswer answer{.log = halves.past, .rows = {}};
  constexpr std::size_t kFewestForTests = 20;
  if (answer.log.failures.size() >= kFewestForTests)
    answer.burstiness = burstiness(answer.log, costs_of(question).restart);
  for (const std::int64_t nodes : question.nodes) add_rows(question, halves, nodes, answer);
  add_warnings(question, answer);
  return answer;
}

}  // namespace sextant::ask
