#include "federate_verdict.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/report/table.h"

namespace sextant::report {
namespace {

using ask::FederatedCell;
using ask::FederatedRun;
using federated::Federation;

std::string points_text(double share) {
  return digits_cell(std::round(1000 * share) / 10).shown + " points";
}

std::string accuracy_text(const FederatedCell& cell) {
  std::string text = percent_words(cell.accuracy.mean);
  if (cell.accuracy.half_width) text += " (plus or minus " + points_text(*cell.accuracy.half_width) + ")";
  return text;
}

std::string attack_text(const Federation& f) {
  if (f.attack == "none") return "without an attack";
  const auto count = std::llround(f.attackers * static_cast<double>(f.clients));
  return "with " + std::to_string(count) + " of " + std::to_string(f.clients) + " clients attacking by " +
         f.attack;
}

std::string flagged_text(const ask::FederatedScore& score) {
  if (score.flagged + score.falsely_flagged == 0) return "The rule flagged no update.";
  std::string text = "The rule flagged ";
  if (score.attacking > 0) {
    text += std::to_string(score.flagged) + " of the " + std::to_string(score.attacking) +
            " updates of attackers and ";
  }
  return text + std::to_string(score.falsely_flagged) + " of the " + std::to_string(score.honest) +
         " updates of honest clients.";
}

// Who the rule takes for an attacker most of the time; the longest list that is said by names.
std::string suspects_text(const FederatedRun& run) {
  constexpr std::size_t kMostNamed = 30;
  std::vector<std::string> names;
  std::int64_t attackers = 0;
  for (const ask::ClientRecord& record : ask::client_records(run.outcome.rounds)) {
    if (!record.suspect()) continue;
    names.push_back(std::to_string(record.client));
    attackers += record.attacks ? 1 : 0;
  }
  if (names.empty()) return {};
  std::string text = "It flagged " + std::to_string(names.size()) +
                     (names.size() == 1 ? " client" : " clients") + " in at least half of their rounds";
  if (names.size() <= kMostNamed) text += " (" + join(names, ", ") + ")";
  return text + ", of which " + std::to_string(attackers) +
         (attackers == 1 ? " is an attacker." : " are attackers.");
}

std::vector<std::string> single_verdict(const FederatedRun& run, double target) {
  const Federation& f = run.federation;
  if (run.score.rounds == 0) return {"No round was completed."};
  std::vector<std::string> lines = {"After " + std::to_string(run.score.rounds) + " of " +
                                    std::to_string(f.rounds) + " rounds the model has an accuracy of " +
                                    percent_words(run.score.accuracy) + ", under rule " + f.rule + " and " +
                                    attack_text(f) + "; the class that it recognises least has a recall of " +
                                    percent_words(run.score.least_recall) + "."};
  lines.push_back(flagged_text(run.score));
  if (const std::string suspects = suspects_text(run); !suspects.empty()) lines.push_back(suspects);
  if (run.score.rounds_to_target >= 0) {
    lines.push_back("It reached " + percent_words(target) + " in round " +
                    number_text(run.score.rounds_to_target) + ", after " +
                    human(Seconds{run.score.client_seconds_to_target}) +
                    " at the clients' speeds and bandwidths.");
  }
  if (run.score.attack_success >= 0) {
    lines.push_back("The attack gets what it wants of " + percent_words(run.score.attack_success) +
                    " of the samples that it aims at.");
  }
  return lines;
}

// The best of the others, and whether chance may have put it behind.
std::string rival_text(const std::vector<const FederatedCell*>& group, const FederatedCell* best) {
  const FederatedCell* second = nullptr;
  for (const FederatedCell* cell : group) {
    if (cell != best && (second == nullptr || cell->accuracy.mean > second->accuracy.mean)) second = cell;
  }
  if (second == nullptr || !best->accuracy.half_width || !second->accuracy.half_width) return {};
  const double gap = best->accuracy.mean - second->accuracy.mean;
  if (gap > *best->accuracy.half_width + *second->accuracy.half_width) return {};
  return "; its interval overlaps that of " + second->runs.front()->federation.rule + ", " +
         accuracy_text(*second);
}

// The best rule under each attack and share, and what the mean comes to there.
std::vector<std::string> grid_verdict(const std::vector<FederatedCell>& cells) {
  std::map<std::string, std::vector<const FederatedCell*>> groups;
  std::vector<std::string> order;
  for (const FederatedCell& cell : cells) {
    const Federation& f = cell.runs.front()->federation;
    const std::string name = attack_text(f) + " (sampler " + f.sampler + ", strategy " + f.strategy + ")";
    if (groups[name].empty()) order.push_back(name);
    groups[name].push_back(&cell);
  }
  std::vector<std::string> lines;
  for (const std::string& name : order) {
    const auto& group = groups[name];
    const auto mean_of = [](const FederatedCell* cell) { return cell->accuracy.mean; };
    const FederatedCell* best = *std::ranges::max_element(group, {}, mean_of);
    std::string text = name;
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
    text += ": " + best->runs.front()->federation.rule + " gives " + accuracy_text(*best);
    if (best->clean_accuracy && best->runs.front()->federation.attack != "none") {
      text += ", " + points_text(*best->clean_accuracy - best->accuracy.mean) + " below the clean mean";
    }
    const auto plain = std::ranges::find_if(
        group, [](const FederatedCell* cell) { return cell->runs.front()->federation.rule == "mean"; });
    text += rival_text(group, best);
    if (plain != group.end() && *plain != best) text += "; the mean gives " + accuracy_text(**plain);
    lines.push_back(text + ".");
  }
  const bool alone =
      std::ranges::all_of(cells, [](const FederatedCell& cell) { return cell.runs.size() == 1; });
  if (alone) lines.emplace_back("Each was run with one seed: small differences may be chance.");
  return lines;
}

}  // namespace

std::vector<std::string> federation_verdict(const ask::FederateAnswer& answer,
                                            const std::vector<FederatedCell>& cells) {
  if (answer.runs.size() == 1) return single_verdict(answer.runs.front(), answer.target);
  if (cells.empty()) return {"No federation was completed."};
  return grid_verdict(cells);
}

}  // namespace sextant::report
