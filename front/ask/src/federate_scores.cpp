// What runs came to, and runs that differ in their seed alone put together.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "sextant/ask/federate.h"
#include "sextant/core/plugin_text.h"

namespace sextant::ask {
namespace {

using federated::Federation;
using federated::RoundNote;

double median_of(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

void count_verdicts(const RoundNote& note, FederatedScore& score) {
  const std::set<std::int64_t> attacking(note.attacking.begin(), note.attacking.end());
  score.attacking += std::ssize(note.attacking);
  score.honest += std::ssize(note.answered) - std::ssize(note.attacking);
  for (const std::int64_t client : note.flagged) {
    ++(attacking.contains(client) ? score.flagged : score.falsely_flagged);
  }
  score.excluded += std::ssize(note.excluded);
}

}  // namespace

std::vector<ClientRecord> client_records(const std::vector<RoundNote>& rounds) {
  std::map<std::int64_t, ClientRecord> records;
  for (const RoundNote& note : rounds) {
    for (const std::int64_t client : note.answered) {
      records[client].client = client;
      ++records[client].answered;
    }
    for (const std::int64_t client : note.attacking) records[client].attacks = true;
    for (const std::int64_t client : note.flagged) ++records[client].flagged;
  }
  std::vector<ClientRecord> all;
  for (const auto& [client, record] : records) all.push_back(record);
  return all;
}

FederatedScore score_of(const std::vector<RoundNote>& rounds, double target) {
  FederatedScore score{.rounds = std::ssize(rounds)};
  if (rounds.empty()) return score;
  const federated::Evaluation& last = rounds.back().test;
  score.accuracy = last.accuracy();
  score.least_recall = std::ranges::min(last.recall());
  score.loss = last.loss;
  score.attack_success = rounds.back().attack_success;
  std::vector<double> totals;
  std::vector<double> rules;
  for (const RoundNote& note : rounds) {
    const double accuracy = note.test.accuracy();
    score.best_accuracy = std::max(score.best_accuracy, accuracy);
    score.client_seconds += note.client_seconds;
    score.accuracies.push_back(accuracy);
    score.client_seconds_at.push_back(note.client_seconds);
    totals.push_back(note.seconds.total);
    rules.push_back(note.seconds.rule);
    score.sent_bytes += note.sent_bytes / static_cast<double>(rounds.size());
    score.received_bytes += note.received_bytes / static_cast<double>(rounds.size());
    count_verdicts(note, score);
  }
  reach_target(target, score);
  score.round_s = median_of(totals);
  score.rule_s = median_of(rules);
  return score;
}

void reach_target(double target, FederatedScore& score) {
  score.rounds_to_target = score.client_seconds_to_target = -1;
  double spent = 0;
  for (std::size_t i = 0; i < score.accuracies.size(); ++i) {
    spent += score.client_seconds_at[i];
    if (score.accuracies[i] < target) continue;
    score.rounds_to_target = static_cast<double>(i + 1);
    score.client_seconds_to_target = spent;
    return;
  }
}

std::vector<FederatedCell> cells_of(const std::vector<FederatedRun>& runs) {
  const auto without_seed = [](Federation f) {
    f.seed = 0;
    return to_json(f).dump();
  };
  const auto clean_twin = [&](Federation f) {
    f.attack = "none";
    f.attackers = 0;
    f.attackers_hold = Federation{}.attackers_hold;
    f.rule = "mean";
    return without_seed(f);
  };
  std::vector<FederatedCell> cells;
  std::vector<std::string> names;
  for (const FederatedRun& run : runs) {
    if (!run.outcome.completed) continue;
    const std::string name = without_seed(run.federation);
    const auto place = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    if (place == names.size()) {
      names.push_back(name);
      cells.push_back({.runs = {}, .accuracy = {}});
    }
    cells[place].runs.push_back(&run);
  }
  for (FederatedCell& cell : cells) {
    std::vector<double> accuracies;
    for (const FederatedRun* run : cell.runs) accuracies.push_back(run->score.accuracy);
    cell.accuracy = seed_mean(accuracies, 2);
  }
  for (FederatedCell& cell : cells) {
    const auto twin = std::ranges::find(names, clean_twin(cell.runs.front()->federation));
    if (twin == names.end()) continue;
    const FederatedCell& clean = cells[static_cast<std::size_t>(twin - names.begin())];
    cell.clean_accuracy = clean.accuracy.mean;
    std::vector<double> rules;
    for (const FederatedRun* run : clean.runs) rules.push_back(run->score.rule_s);
    cell.clean_rule_s = median_of(rules);
  }
  return cells;
}

std::string rule_name(const Federation& federation) {
  const PluginText parts = split_plugin_text(federation.rule, at_field("rule"));
  std::string name = parts.id;
  for (const auto& [setting, value] : parts.settings) {
    if (setting != "f") name.append(":").append(setting).append("=").append(value);
  }
  return name;
}

std::vector<BreakPoint> break_points(const std::vector<FederatedCell>& cells) {
  constexpr double kHardlyBetter = 1.5;
  std::vector<BreakPoint> points;
  std::vector<std::string> names;
  for (const FederatedCell& cell : cells) {
    Federation f = cell.runs.front()->federation;
    if (f.attack == "none") continue;
    const auto classes = bind(nets::find_network(f.net, at_field("net")), f.sizes).classes;
    f.rule = rule_name(f);
    f.attackers = 0;
    f.seed = 0;
    const std::string name = to_json(f).dump();
    const auto place = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    if (place == names.size()) {
      names.push_back(name);
      points.push_back({.cells = {}, .chance = kHardlyBetter / static_cast<double>(classes)});
    }
    points[place].cells.push_back(&cell);
  }
  const auto share_of = [](const FederatedCell* cell) { return cell->runs.front()->federation.attackers; };
  for (BreakPoint& point : points) {
    std::ranges::stable_sort(point.cells, {}, share_of);
    const auto broken = std::ranges::find_if(
        point.cells, [&](const FederatedCell* cell) { return cell->accuracy.mean <= point.chance; });
    if (broken != point.cells.end()) point.share = share_of(*broken);
  }
  std::erase_if(points, [](const BreakPoint& point) { return point.cells.size() < 2; });
  return points;
}

}  // namespace sextant::ask
