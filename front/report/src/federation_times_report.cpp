#include <algorithm>
#include <nlohmann/json.hpp>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/report/federate_report.h"

namespace sextant::report {
namespace {

using ask::FederationTimes;
using ask::FederationTimesAnswer;
using ask::SeedMean;
using enum Importance;

Cell interval_edge(const SeedMean& mean, double sign) {
  return mean.half_width ? Cell(Seconds{std::max(0.0, mean.mean + sign * *mean.half_width)}) : Cell();
}

std::string clients_text(std::int64_t per_round) {
  return per_round == 0 ? "all" : std::to_string(per_round);
}

std::string policy_text(const FederationTimes& row, bool with_strategy) {
  std::string text = row.per_round == 0 ? "all clients" : std::to_string(row.per_round) + " clients";
  text += " in a round";
  if (row.over_select > 0) text += ", " + percent_words(row.over_select) + " more chosen";
  text += row.deadline_s > 0 ? " and a deadline of " + human(Seconds{row.deadline_s}) : " and no deadline";
  return with_strategy ? text + ", by " + row.strategy : text;
}

Fields<FederationTimes> times_fields() {
  using R = const FederationTimes&;
  return {
      {"strategy", "strategy", [](R r) { return Cell(r.strategy); }, identity},
      {"per_round", "chosen", [](R r) { return Cell(clients_text(r.per_round)); }, identity},
      {"over_select", "and more", [](R r) { return percent_cell(r.over_select); }, identity},
      {"deadline_s", "deadline",
       [](R r) { return r.deadline_s > 0 ? Cell(Seconds{r.deadline_s}) : Cell("none"); }, identity},
      {"round_s", "round", [](R r) { return Cell(Seconds{r.round_s.mean}); }, essential},
      {"round_from_s", "95 % low", [](R r) { return interval_edge(r.round_s, -1); }, essential},
      {"round_to_s", "95 % high", [](R r) { return interval_edge(r.round_s, 1); }, essential},
      {"all_s", "all rounds", [](R r) { return Cell(Seconds{r.all_s.mean}); }},
      {"answered", "answers", [](R r) { return digits_cell(r.answered); }, essential},
      {"late_share", "late", [](R r) { return percent_cell(r.late_share); }},
      {"dropped_share", "dropped", [](R r) { return percent_cell(r.dropped_share); }},
      {"samples_per_s", "samples/s", [](R r) { return digits_cell(r.samples_per_s); }, essential},
      {"rounds_s", "", [](R r) { return Cell::nested(r.rounds_s); }, detail},
  };
}

// Only where runs were named: without them nothing is known of rounds to an accuracy.
Fields<FederationTimes> target_fields() {
  using R = const FederationTimes&;
  const auto seconds = [](const std::optional<double>& value) {
    return value ? Cell(Seconds{*value}) : Cell();
  };
  return {
      {"runs", "", [](R r) { return Cell(r.runs); }, detail},
      {"runs_at_target", "", [](R r) { return Cell(r.runs_at_target); }, detail},
      {"rounds_to_target", "rounds to target",
       [](R r) { return r.rounds_to_target ? digits_cell(*r.rounds_to_target) : Cell(); }, essential},
      {"target_s", "time to target", [seconds](R r) { return seconds(r.target_s); }, essential},
      {"target_from_s", "95 % from", [seconds](R r) { return seconds(r.target_from_s); }, essential},
      {"target_to_s", "95 % to", [seconds](R r) { return seconds(r.target_to_s); }, essential},
  };
}

std::string target_text(const FederationTimes& row) {
  std::string text = human(Seconds{*row.target_s});
  if (row.target_from_s)
    text += " (95 % of such runs: " + human(Seconds{*row.target_from_s}) + " to " +
            human(Seconds{*row.target_to_s}) + ")";
  return text;
}

std::string unknown_target_text(const FederationTimesAnswer& answer, const std::string& target) {
  std::int64_t runs = 0;
  std::int64_t reached = 0;
  for (const FederationTimes& row : answer.rows) {
    runs += row.runs;
    reached += row.runs_at_target;
  }
  const std::string text = "How long an accuracy of " + target + " takes is not known: ";
  if (runs == 0) return text + "no measured run was trained under one of these policies.";
  return text + "of the runs that were trained under one of these policies, " + std::to_string(reached) +
         " of " + std::to_string(runs) + " reached it.";
}

// The policy that comes to the target first, and whether the next one may be as good.
std::vector<std::string> target_verdict(const FederationTimesAnswer& answer, bool with_strategy) {
  std::vector<const FederationTimes*> known;
  for (const FederationTimes& row : answer.rows) {
    if (row.target_s) known.push_back(&row);
  }
  std::ranges::stable_sort(known, {}, [](const FederationTimes* row) { return *row->target_s; });
  const std::string target = percent_words(answer.target);
  std::vector<std::string> lines;
  if (known.empty()) return {unknown_target_text(answer, target)};
  const FederationTimes& best = *known.front();
  std::string text = "An accuracy of " + target + " is reached first with " +
                     policy_text(best, with_strategy) + ": in " + target_text(best);
  if (known.size() > 1) {
    const FederationTimes& next = *known[1];
    text += "; next is " + policy_text(next, with_strategy) + ", in " + target_text(next);
    const bool apart = best.target_to_s && next.target_from_s && *best.target_to_s < *next.target_from_s;
    if (!apart) text += "; the difference may be chance";
  }
  lines.push_back(text + ".");
  if (!best.target_from_s)
    lines.emplace_back("Fewer than three measured runs, or three seeds, give no interval for that time.");
  const auto without = std::ssize(answer.rows) - std::ssize(known);
  if (without > 0)
    lines.push_back("For " + std::to_string(without) + " of " + std::to_string(answer.rows.size()) +
                    " policies no measured run says how many rounds that takes.");
  return lines;
}

std::vector<std::string> times_verdict(const FederationTimesAnswer& answer) {
  const auto best = std::ranges::max_element(answer.rows, {}, &FederationTimes::samples_per_s);
  const bool with_strategy = std::ranges::any_of(
      answer.rows, [&](const FederationTimes& row) { return row.strategy != answer.rows.front().strategy; });
  std::vector<std::string> lines;
  if (answer.measured) lines = target_verdict(answer, with_strategy);
  std::string text = "Most samples in a second are trained on with " + policy_text(*best, with_strategy) +
                     ": " + digits_cell(best->samples_per_s).shown + ", in rounds of " +
                     human(Seconds{best->round_s.mean}) + ".";
  if (!answer.measured)
    text += " How many rounds an accuracy takes depends on the data, and is not said here.";
  lines.push_back(text);
  return lines;
}

}  // namespace

Result federation_times_result(const FederationTimesAnswer& answer) {
  Table sentences;
  sentences.notes = times_verdict(answer);
  Fields<FederationTimes> fields =
      explained(times_fields(), {{"answered", "updates of a round that come in time"},
                                 {"over_select", "chosen beyond those that a round needs"},
                                 {"samples_per_s", "trained on by updates that come in time"},
                                 {"round_from_s", "interval of the mean over seeds"},
                                 {"round_to_s", "interval of the mean over seeds"}});
  if (answer.measured) {
    const Fields<FederationTimes> more =
        explained(target_fields(), {{"target_from_s", "interval of the time of one more run"},
                                    {"target_to_s", "interval of the time of one more run"}});
    fields.insert(fields.end(), more.begin(), more.end());
  }
  Table table = table_of(fields, answer.rows);
  if (answer.seeds < 3) table.notes.emplace_back("Fewer than three seeds give no interval.");
  using A = const FederationTimesAnswer&;
  const Fields<FederationTimesAnswer> facts = {
      {"rounds", "", [](A a) { return Cell(a.rounds); }, detail},
      {"seeds", "", [](A a) { return Cell(a.seeds); }, detail},
      {"model_bytes", "", [](A a) { return Cell(Bytes{a.model_bytes}); }, detail},
      {"target", "", [](A a) { return a.measured ? percent_cell(a.target) : Cell(); }, detail},
      {"measured.samples_per_s", "",
       [](A a) { return a.measured ? digits_cell(a.measured->samples_per_s) : Cell(); }, detail},
      {"measured.server_s", "", [](A a) { return a.measured ? Cell(Seconds{a.measured->server_s}) : Cell(); },
       detail}};
  return {.schema = "sextant.federation-times/1",
          .sections = {{.key = "times", .table = table, .shown = false},
                       {.table = std::move(sentences)},
                       {.table = std::move(table)}},
          .facts = facts_of(facts, answer)};
}

}  // namespace sextant::report
