#include "sextant/report/federate_report.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "federate_robustness.h"
#include "federate_verdict.h"
#include "sextant/report/svg_lines.h"

namespace sextant::report {
namespace {

using ask::FederatedCell;
using ask::FederatedRun;
using ask::FederatedScore;
using federated::Federation;
using federated::RoundNote;
using enum Importance;

Cell at_least_zero(double value, Cell (*cell)(double)) {
  return value < 0 ? Cell() : cell(value);
}

Fields<Federation> federation_fields() {
  using F = const Federation&;
  return {
      {"net", "net", [](F f) { return Cell(f.net); }, identity},
      {"data", "data", [](F f) { return Cell(f.data); }, identity},
      {"clients", "clients", [](F f) { return Cell(f.clients); }, identity},
      {"sampler", "sampler", [](F f) { return Cell(f.sampler); }, identity},
      {"strategy", "strategy", [](F f) { return Cell(f.strategy); }, identity},
      {"attack", "attack", [](F f) { return Cell(f.attack); }, identity},
      {"attackers", "attackers", [](F f) { return percent_cell(f.attackers); }, identity},
      {"rule", "rule", [](F f) { return Cell(f.rule); }, identity},
  };
}

Cell share_cell(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? Cell() : percent_cell(static_cast<double>(part) / static_cast<double>(whole));
}

Fields<FederatedScore> federated_score_fields() {
  using S = const FederatedScore&;
  return {
      {"least_recall", "worst class", [](S s) { return percent_cell(s.least_recall); }, essential},
      {"best_accuracy", "best", [](S s) { return percent_cell(s.best_accuracy); }, detail},
      {"loss", "loss", [](S s) { return digits_cell(s.loss); }},
      {"flagged_share", "flagged", [](S s) { return share_cell(s.flagged, s.attacking); }, essential},
      {"falsely_flagged_share", "falsely", [](S s) { return share_cell(s.falsely_flagged, s.honest); },
       essential},
      {"attack_success", "attack wins", [](S s) { return at_least_zero(s.attack_success, percent_cell); }},
      {"rounds_to_target", "rounds to target",
       [](S s) { return at_least_zero(s.rounds_to_target, digits_cell); }},
      {"client_s_to_target", "time to target",
       [](S s) {
         return s.client_seconds_to_target < 0 ? Cell() : Cell(Seconds{s.client_seconds_to_target});
       }},
      {"round_s", "round", [](S s) { return Cell(Seconds{s.round_s}); }},
      {"rule_s", "rule", [](S s) { return Cell(Seconds{s.rule_s}); }},
      {"sent_bytes", "sent", [](S s) { return Cell(Bytes{s.sent_bytes}); }},
      {"received_bytes", "received", [](S s) { return Cell(Bytes{s.received_bytes}); }},
      {"client_s", "", [](S s) { return Cell(Seconds{s.client_seconds}); }, detail},
      {"rounds", "", [](S s) { return Cell(s.rounds); }, detail},
      {"excluded", "", [](S s) { return Cell(s.excluded); }, detail},
      {"accuracies", "", [](S s) { return Cell::nested(s.accuracies); }, detail},
  };
}

Fields<FederatedRun> federated_run_fields() {
  using R = const FederatedRun&;
  Fields<FederatedRun> fields =
      of_part<FederatedRun, Federation>(federation_fields(), [](R r) { return &r.federation; });
  fields.push_back(
      {"seed", "seed", [](R r) { return Cell(static_cast<std::int64_t>(r.federation.seed)); }, identity});
  fields.push_back({"completed", "", [](R r) { return Cell(r.outcome.completed); }, detail});
  fields.push_back({"recorded", "", [](R r) { return Cell(r.recorded); }, detail});
  fields.push_back({"accuracy", "accuracy", [](R r) { return percent_cell(r.score.accuracy); }, essential});
  const auto score =
      of_part<FederatedRun, FederatedScore>(federated_score_fields(), [](R r) { return &r.score; });
  fields.insert(fields.end(), score.begin(), score.end());
  return fields;
}

// The scores of a cell are means over its runs, but for what is counted.
FederatedScore mean_score(const FederatedCell& cell) {
  FederatedScore mean;
  const auto runs = static_cast<double>(cell.runs.size());
  const auto average = [&](double FederatedScore::*part) {
    for (const FederatedRun* run : cell.runs) mean.*part += run->score.*part / runs;
  };
  for (const auto part :
       {&FederatedScore::best_accuracy, &FederatedScore::least_recall, &FederatedScore::loss,
        &FederatedScore::round_s, &FederatedScore::rule_s, &FederatedScore::sent_bytes,
        &FederatedScore::received_bytes, &FederatedScore::client_seconds, &FederatedScore::attack_success}) {
    average(part);
  }
  const auto all_reach =
      std::ranges::all_of(cell.runs, [](const auto* r) { return r->score.rounds_to_target >= 0; });
  mean.rounds_to_target = mean.client_seconds_to_target = all_reach ? 0 : -1;
  if (all_reach) {
    average(&FederatedScore::rounds_to_target);
    average(&FederatedScore::client_seconds_to_target);
  }
  for (const FederatedRun* run : cell.runs) {
    mean.attacking += run->score.attacking;
    mean.honest += run->score.honest;
    mean.flagged += run->score.flagged;
    mean.falsely_flagged += run->score.falsely_flagged;
    mean.excluded += run->score.excluded;
  }
  mean.rounds = cell.runs.front()->score.rounds;
  return mean;
}

struct CellRow {
  const FederatedCell& cell;
  FederatedScore mean;
};

Fields<CellRow> cell_fields() {
  using R = const CellRow&;
  const auto edge = [](R r, double sign) {
    const auto& accuracy = r.cell.accuracy;
    return accuracy.half_width
               ? percent_cell(std::clamp(accuracy.mean + sign * *accuracy.half_width, 0.0, 1.0))
               : Cell();
  };
  Fields<CellRow> fields =
      of_part<CellRow, Federation>(federation_fields(), [](R r) { return &r.cell.runs.front()->federation; });
  const Fields<CellRow> own = {
      {"seeds", "seeds", [](R r) { return Cell(std::ssize(r.cell.runs)); }, identity},
      {"accuracy", "accuracy", [](R r) { return percent_cell(r.cell.accuracy.mean); }, essential},
      {"accuracy_from", "95 % low", [edge](R r) { return edge(r, -1); }, essential},
      {"accuracy_to", "95 % high", [edge](R r) { return edge(r, 1); }, essential},
      {"drop", "lost",
       [](R r) {
         return r.cell.clean_accuracy ? percent_cell(*r.cell.clean_accuracy - r.cell.accuracy.mean) : Cell();
       },
       essential},
      {"defence_share", "cost of rule",
       [](R r) {
         if (!r.cell.clean_rule_s || r.mean.round_s <= 0) return Cell();
         return percent_cell((r.mean.rule_s - *r.cell.clean_rule_s) /
                             (r.mean.round_s - r.mean.rule_s + *r.cell.clean_rule_s));
       }},
  };
  fields.insert(fields.end(), own.begin(), own.end());
  const auto score = of_part<CellRow, FederatedScore>(federated_score_fields(), [](R r) { return &r.mean; });
  fields.insert(fields.end(), score.begin(), score.end());
  return fields;
}

Table cells_table(const std::vector<FederatedCell>& cells) {
  std::vector<CellRow> rows;
  for (const FederatedCell& cell : cells) rows.push_back({cell, mean_score(cell)});
  return table_of(
      explained(in_files(cell_fields(), {"accuracies"}),
                {{"drop", "points of accuracy below the mean rule without an attack"},
                 {"least_recall", "the recall of the class that is recognised least"},
                 {"flagged_share", "of the attackers' updates, by the rule"},
                 {"falsely_flagged_share", "of the honest clients' updates that the rule flagged"},
                 {"defence_share", "what the rule adds to a round's time, against the mean"},
                 {"client_s_to_target", "at the clients' own speeds and bandwidths"}}),
      rows);
}

Cell ids_cell(const std::vector<std::int64_t>& ids) {
  return Cell::nested(ids);
}

Cell exclusions_cell(const RoundNote& note) {
  Json all = Json::array();
  for (const auto& one : note.excluded) all.push_back({{"client", one.client}, {"reason", one.reason}});
  return Cell::nested(std::move(all));
}

Cell confusion_cell(const federated::Evaluation& test) {
  Json rows = Json::array();
  for (std::int64_t c = 0; c < test.classes; ++c) {
    const auto first = test.confusion.begin() + c * test.classes;
    rows.push_back(std::vector<std::int64_t>(first, first + test.classes));
  }
  return Cell::nested(std::move(rows));
}

struct RoundRow {
  const FederatedRun& run;
  const RoundNote& note;
};

Fields<RoundRow> federated_round_fields() {
  using R = const RoundRow&;
  Fields<RoundRow> fields =
      in_files(of_part<RoundRow, Federation>(federation_fields(), [](R r) { return &r.run.federation; }),
               {"net", "data", "clients", "sampler", "strategy", "attack", "attackers", "rule"});
  const Fields<RoundRow> own = {
      {"seed", "", [](R r) { return Cell(static_cast<std::int64_t>(r.run.federation.seed)); }, detail},
      {"round", "round", [](R r) { return Cell(r.note.round); }, identity},
      {"answered", "answered", [](R r) { return Cell(std::ssize(r.note.answered)); }, essential},
      {"train_loss", "training loss", [](R r) { return digits_cell(r.note.train_loss); }},
      {"loss", "loss", [](R r) { return digits_cell(r.note.test.loss); }, essential},
      {"accuracy", "accuracy", [](R r) { return percent_cell(r.note.test.accuracy()); }, essential},
      {"least_recall", "worst class",
       [](R r) { return percent_cell(std::ranges::min(r.note.test.recall())); }},
      {"flagged", "flagged", [](R r) { return Cell(std::ssize(r.note.flagged)); }},
      {"client_s", "at the clients", [](R r) { return Cell(Seconds{r.note.client_seconds}); }},
      {"round_s", "here", [](R r) { return Cell(Seconds{r.note.seconds.total}); }},
      {"clients_s", "", [](R r) { return Cell(Seconds{r.note.seconds.clients}); }, detail},
      {"rule_s", "rule", [](R r) { return Cell(Seconds{r.note.seconds.rule}); }},
      {"evaluation_s", "", [](R r) { return Cell(Seconds{r.note.seconds.evaluation}); }, detail},
      {"train_s", "", [](R r) { return Cell(Seconds{r.note.train_seconds}); }, detail},
      {"sent_bytes", "sent", [](R r) { return Cell(Bytes{r.note.sent_bytes}); }},
      {"received_bytes", "received", [](R r) { return Cell(Bytes{r.note.received_bytes}); }},
      {"chosen", "", [](R r) { return ids_cell(r.note.chosen); }, detail},
      {"late", "", [](R r) { return ids_cell(r.note.late); }, detail},
      {"dropped", "", [](R r) { return ids_cell(r.note.dropped); }, detail},
      {"attacking", "", [](R r) { return ids_cell(r.note.attacking); }, detail},
      {"flagged_clients", "", [](R r) { return ids_cell(r.note.flagged); }, detail},
      {"excluded", "", [](R r) { return exclusions_cell(r.note); }, detail},
      {"recall", "", [](R r) { return Cell::nested(r.note.test.recall()); }, detail},
      {"confusion", "", [](R r) { return confusion_cell(r.note.test); }, detail},
  };
  fields.insert(fields.end(), own.begin(), own.end());
  return fields;
}

// About a dozen of them: the first, the last, and some between.
bool shown_round(std::int64_t round, std::int64_t rounds) {
  const std::int64_t every = std::max<std::int64_t>(1, (rounds + 9) / 10);
  return round == 1 || round == rounds || round % every == 0;
}

Table rounds_table(const std::vector<FederatedRun>& runs, bool all) {
  std::vector<RoundRow> rows;
  for (const FederatedRun& run : runs) {
    for (const RoundNote& note : run.outcome.rounds) {
      if (all || shown_round(note.round, std::ssize(run.outcome.rounds))) rows.push_back({run, note});
    }
  }
  return table_of(explained(federated_round_fields(),
                            {{"client_s", "seconds of the round at the clients' own speeds and bandwidths"},
                             {"round_s", "seconds that it took on this machine"}}),
                  rows);
}

// Of a single run; a sweep has too many.
Table clients_table(const std::vector<FederatedRun>& runs) {
  using R = const ask::ClientRecord&;
  const Fields<ask::ClientRecord> fields = {
      {"client", "client", [](R r) { return Cell(r.client); }, identity},
      {"attacks", "attacks", [](R r) { return Cell(r.attacks); }, essential},
      {"answered", "rounds", [](R r) { return Cell(r.answered); }, essential},
      {"flagged", "flagged", [](R r) { return Cell(r.flagged); }, essential}};
  return table_of(fields, runs.size() == 1 ? ask::client_records(runs.front().outcome.rounds)
                                           : std::vector<ask::ClientRecord>{});
}

}  // namespace

Result federations_result(const ask::FederateAnswer& answer) {
  const std::vector<FederatedCell> cells = ask::cells_of(answer.runs);
  const std::vector<ask::BreakPoint> breaks = ask::break_points(cells);
  Table sentences;
  sentences.notes = breaks.empty() ? federation_verdict(answer, cells) : break_points_text(breaks);
  const bool single = answer.runs.size() == 1;
  const bool grid = breaks.empty() && is_robustness_grid(cells);
  const Fields<ask::FederateAnswer> facts = {
      {"target_accuracy", "", [](const ask::FederateAnswer& a) { return Cell(a.target); }, detail}};
  return {
      .schema = "sextant.federations/1",
      .sections = {{.key = "runs", .table = table_of(federated_run_fields(), answer.runs), .shown = false},
                   {.table = std::move(sentences)},
                   {.table = grid ? robustness_table(cells) : Table{}, .shown = grid},
                   {.key = "break_points", .table = break_points_table(breaks), .shown = !breaks.empty()},
                   {.key = "federations", .table = cells_table(cells), .shown = !single},
                   {.table = single ? rounds_table(answer.runs, false) : Table{}, .shown = single},
                   {.key = "rounds", .table = rounds_table(answer.runs, true), .shown = false},
                   {.key = "clients", .table = clients_table(answer.runs), .shown = false}},
      .facts = facts_of(facts, answer)};
}

namespace {

LinePlot accuracy_lines(const std::vector<FederatedCell>& cells) {
  std::set<double> shares;
  for (const FederatedCell& cell : cells) {
    const Federation& f = cell.runs.front()->federation;
    if (f.attack != "none") shares.insert(f.attackers);
  }
  const bool by_share = shares.size() > 1;
  LinePlot plot{.title = by_share ? "Accuracy against the share of attackers" : "Accuracy over rounds",
                .x_label = by_share ? "share of attackers" : "round",
                .y_label = "accuracy"};
  std::map<std::string, LineSeries> series;
  for (const FederatedCell& cell : cells) {
    const Federation& f = cell.runs.front()->federation;
    if (by_share && f.attack == "none") continue;
    const std::string name =
        f.rule.substr(0, f.rule.find(':')) + ", " + (f.attack == "none" ? "no attack" : f.attack);
    LineSeries& line = series[name];
    line.name = name;
    if (by_share) {
      line.x.push_back(f.attackers);
      line.y.push_back(cell.accuracy.mean);
      continue;
    }
    if (!line.x.empty()) continue;  // another sampler or strategy: the first is drawn
    const std::size_t rounds = cell.runs.front()->score.accuracies.size();
    for (std::size_t i = 0; i < rounds; ++i) {
      double sum = 0;
      for (const FederatedRun* run : cell.runs)
        sum += i < run->score.accuracies.size() ? run->score.accuracies[i] : 0;
      line.x.push_back(static_cast<double>(i + 1));
      line.y.push_back(sum / static_cast<double>(cell.runs.size()));
    }
  }
  for (auto& [name, line] : series) {
    if (!line.x.empty()) plot.series.push_back(std::move(line));
  }
  return plot;
}

}  // namespace

std::string federations_picture(const ask::FederateAnswer& answer) {
  const std::vector<FederatedCell> cells = ask::cells_of(answer.runs);
  if (ask::break_points(cells).empty() && is_robustness_grid(cells)) return robustness_svg(cells);
  const LinePlot plot = accuracy_lines(cells);
  return plot.series.empty() ? "" : to_svg(plot);
}

}  // namespace sextant::report
