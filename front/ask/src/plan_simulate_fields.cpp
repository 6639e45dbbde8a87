#include "plan_simulate_fields.h"

#include <algorithm>
#include <array>

#include "sextant/core/plugin_text.h"
#include "sextant/core/text.h"
#include "sextant/simulate/fault.h"
#include "simulate_fields.h"

namespace sextant::ask {
namespace {

// The reference's simulator knows none of these.
void refuse_beside_andreas(const PlanSimulateQuestion& question) {
  const PlanSimulateQuestion usual;
  const std::vector<std::pair<const char*, bool>> given = {{"restart", question.restart != usual.restart},
                                                           {"faults", !question.faults.empty()},
                                                           {"slot", question.slot != usual.slot},
                                                           {"trace", question.trace.has_value()},
                                                           {"admission", question.admission.has_value()}};
  for (const auto& [name, is_given] : given) {
    if (is_given) throw InputError(at_field(name), "the rules of ANDREAS have none: leave it out");
  }
}

void refuse_plan_contradictions(const PlanSimulateQuestion& question) {
  const bool tables = question.jobs || question.times || question.machines;
  const bool trace = question.trace || question.throughputs || question.cluster;
  if (tables + trace + question.generate.has_value() != 1) {
    throw InputError(
        {}, tables || trace ? "the jobs come from several places" : "there are no jobs to plan for",
        "`jobs`, `times` and `machines`, or `trace`, `throughputs` and `cluster`, or `generate`");
  }
  const std::vector<std::pair<const char*, bool>> needed = {{"jobs", !tables || question.jobs},
                                                            {"machines", !tables || question.machines},
                                                            {"trace", !trace || question.trace},
                                                            {"throughputs", !trace || question.throughputs},
                                                            {"cluster", !trace || question.cluster}};
  for (const auto& [name, is_there] : needed) {
    if (is_there) continue;
    throw InputError(at_field(name), std::string("the ") + (tables ? "tables of jobs" : "trace") +
                                         " cannot be read without `" + name + "`");
  }
  if (!question.instances.empty() && !question.jobs) {
    throw InputError(at_field("instance"), "only a table of jobs has instances by name");
  }
  if (question.rules && *question.rules != "andreas") {
    throw InputError(at_field("rules"), "unknown rules '" + *question.rules + "'", "one of: andreas");
  }
  if (question.rules) refuse_beside_andreas(question);
  if (question.methods.empty())
    throw InputError(at_field("method"), "no planning method is named: who decides?");
}

// With the rules come the reference's own first-principle methods; what users call them stays.
capacity::MethodChoice method_choice(const std::string& text, bool andreas) {
  constexpr std::array kTheirs = {"fifo", "edf", "priority", "greedy"};
  const SourcePos at = at_field("method");
  if (andreas && fold_name(text) == "sextant") {
    // Times are exact there and moves free: less has to be kept in hand. Found on drawn instances of those
    // rules with 5 to 100 nodes: with 0 and with 0.4 one of 30 with 5 nodes cost more than the greedy.
    capacity::MethodChoice choice = capacity::parse_method("sextant:margin=0.2", at);
    choice.text = text;
    return choice;
  }
  if (!andreas || std::ranges::find(kTheirs, fold_name(text)) == kTheirs.end()) {
    return capacity::parse_method(text, at);
  }
  capacity::MethodChoice choice = capacity::parse_method("andreas-" + fold_name(text), at);
  choice.text = text;
  return choice;
}

capacity::NodeCost node_cost(const std::string& text) {
  if (text == "makespan") return capacity::NodeCost::makespan;
  if (text == "first-end") return capacity::NodeCost::first_end;
  if (text == "period") return capacity::NodeCost::period;
  throw InputError(at_field("cost"), "unknown cost '" + text + "'", "one of: first-end, makespan, period");
}

double not_below_zero(double value, const char* field) {
  if (!(value >= 0 && value < 1e15))
    throw InputError(at_field(field), "the value is " + number_text(value) + ", and must be from 0 to 1e15");
  return value;
}

capacity::Wishes wishes_of(const PlanSimulateQuestion& question) {
  capacity::Wishes wishes;
  wishes.period = waiting_seconds(question.period, at_field("period"));
  if (!(wishes.period > Seconds{0})) throw InputError(at_field("period"), "the time is not above 0");
  wishes.cost = node_cost(question.cost);
  wishes.postponement = not_below_zero(question.postponement, "postponement");
  if (!(question.risk > 0 && question.risk < 1)) {
    throw InputError(at_field("risk"), number_text(question.risk) + " is not a probability between 0 and 1");
  }
  wishes.risk = question.risk;
  if (question.budget) wishes.budget = Dollars{not_below_zero(*question.budget, "budget")} / kHour;
  if (question.power) wishes.power = Watts{not_below_zero(*question.power, "power")};
  wishes.energy_price = Dollars{not_below_zero(question.energy_price, "energy_price")};
  wishes.carbon_kg_per_kwh = not_below_zero(question.carbon_intensity, "carbon_intensity");
  wishes.carbon_price = Dollars{not_below_zero(question.carbon_price, "carbon_price")};
  wishes.admission = question.admission ? *question.admission == "yes" : question.trace.has_value();
  return wishes;
}

void add_error(const PlanSimulateQuestion& question, capacity::OnlineOptions& run) {
  run.stated_error = question.error == "stated";
  if (run.stated_error) return;
  const auto error = to_number(question.error);
  if (!error || !(*error >= 0 && *error <= 10)) {
    throw InputError(at_field("error"), "'" + question.error + "' is not an error of times",
                     "0.1 means that true times are about 10 % off; 'stated' takes the error from the table");
  }
  run.error = *error;
}

}  // namespace

capacity::OnlineSweepPlan online_plan(const PlanSimulateQuestion& question) {
  refuse_plan_contradictions(question);
  capacity::OnlineSweepPlan plan;
  const bool andreas = question.rules.has_value();
  for (const std::string& text : question.methods) plan.methods.push_back(method_choice(text, andreas));
  plan.run.wishes = wishes_of(question);
  plan.run.ticks = !andreas;
  plan.run.slot = waiting_seconds(question.slot, at_field("slot"));
  plan.run.restart = waiting_seconds(question.restart, at_field("restart"));
  add_error(question, plan.run);
  for (const std::string& text : question.faults) {
    const PluginText parts = split_plugin_text(text, at_field("faults"));
    parameters_of(simulate::faults().get(parts.id, at_field("faults")), parts, at_field("faults"));
  }
  plan.run.faults = question.faults;
  plan.run.history = question.keep_history;
  if (question.seeds < 1) throw InputError(at_field("seeds"), "the number of seeds is not above 0");
  plan.first_seed = question.seed;
  plan.seeds = question.seeds;
  plan.threads = static_cast<std::size_t>(std::max<std::int64_t>(0, question.threads));
  return plan;
}

}  // namespace sextant::ask
