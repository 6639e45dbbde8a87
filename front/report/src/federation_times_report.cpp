#include <algorithm>

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

Fields<FederationTimes> times_fields() {
  using R = const FederationTimes&;
  return {
      {"per_round", "chosen", [](R r) { return Cell(clients_text(r.per_round)); }, identity},
      {"deadline_s", "deadline",
       [](R r) { return r.deadline_s > 0 ? Cell(Seconds{r.deadline_s}) : Cell("none"); }, identity},
      {"round_s", "round", [](R r) { return Cell(Seconds{r.round_s.mean}); }, essential},
      {"round_from_s", "95 % low", [](R r) { return interval_edge(r.round_s, -1); }, essential},
      {"round_to_s", "95 % high", [](R r) { return interval_edge(r.round_s, 1); }, essential},
      {"all_s", "all rounds", [](R r) { return Cell(Seconds{r.all_s.mean}); }},
      {"answered", "answers", [](R r) { return digits_cell(r.answered); }, essential},
      {"late_share", "late", [](R r) { return percent_cell(r.late_share); }},
      {"samples_per_s", "samples/s", [](R r) { return digits_cell(r.samples_per_s); }, essential},
  };
}

std::vector<std::string> times_verdict(const FederationTimesAnswer& answer) {
  const auto best = std::ranges::max_element(answer.rows, {}, &FederationTimes::samples_per_s);
  const std::string deadline =
      best->deadline_s > 0 ? "a deadline of " + human(Seconds{best->deadline_s}) : std::string("no deadline");
  const std::string who = best->per_round == 0 ? "all clients" : std::to_string(best->per_round) + " clients";
  return {"Most samples in a second are trained on with " + who + " in a round and " + deadline + ": " +
          digits_cell(best->samples_per_s).shown + ", in rounds of " + human(Seconds{best->round_s.mean}) +
          ". How many rounds an accuracy takes depends on the data, and is not said here."};
}

}  // namespace

Result federation_times_result(const FederationTimesAnswer& answer) {
  Table sentences;
  sentences.notes = times_verdict(answer);
  Table table =
      table_of(explained(times_fields(), {{"answered", "updates of a round that come in time"},
                                          {"samples_per_s", "trained on by updates that come in time"},
                                          {"round_from_s", "interval of the mean over seeds"},
                                          {"round_to_s", "interval of the mean over seeds"}}),
               answer.rows);
  if (answer.seeds < 3) table.notes.emplace_back("Fewer than three seeds give no interval.");
  using A = const FederationTimesAnswer&;
  const Fields<FederationTimesAnswer> facts = {
      {"rounds", "", [](A a) { return Cell(a.rounds); }, detail},
      {"seeds", "", [](A a) { return Cell(a.seeds); }, detail},
      {"model_bytes", "", [](A a) { return Cell(Bytes{a.model_bytes}); }, detail}};
  return {.schema = "sextant.federation-times/1",
          .sections = {{.key = "times", .table = table, .shown = false},
                       {.table = std::move(sentences)},
                       {.table = std::move(table)}},
          .facts = facts_of(facts, answer)};
}

}  // namespace sextant::report
