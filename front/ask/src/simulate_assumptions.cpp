#include "simulate_assumptions.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"

namespace sextant::ask {
namespace {

std::string times_text(double factor) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.2f", factor);
  return text.data();
}

// "durations count as on v100; the catalogue's peak rates and bandwidths make k80 0.27 times as fast".
void add_speed_note(const clusters::Cluster& cluster, std::vector<std::string>& notes) {
  std::vector<std::string> known;
  std::vector<std::string> unknown;
  for (const clusters::Pool& pool : cluster.pools) {
    const double relative = pool.speed / cluster.pools.front().speed;
    if (pool.speed_from == clusters::SpeedFrom::catalogue)
      known.push_back(pool.type + " " + times_text(relative) + " times");
    if (pool.speed_from == clusters::SpeedFrom::unknown) unknown.push_back(pool.type);
  }
  const std::string reference = cluster.pools.front().type;
  const std::string how = "; 'speed' in a cluster file, `throughputs` or `predict` says otherwise";
  if (!known.empty()) {
    notes.push_back("run times count as on " + reference + ", the first pool; by the catalogue, " +
                    join(known, ", ") + " as fast (jobs whose model is known: as predicted)" + how);
  }
  if (!unknown.empty()) {
    notes.push_back("the catalogue cannot compare " + join(unknown, ", ") + " with " + reference +
                    ", so its speed is taken as 1" + how);
  }
}

constexpr std::string_view kAnyGpu = "gpu";  // a cluster of one kind needs no other name

// A type that the catalogue does not know may be meant, and then it has no price.
void add_unknown_notes(const clusters::Cluster& cluster, const catalog::Catalog& catalog,
                       std::vector<std::string>& notes) {
  std::vector<std::string> known;
  for (const catalog::Gpu& gpu : catalog.gpus.all()) {
    known.push_back(gpu.id);
    known.insert(known.end(), gpu.aliases.begin(), gpu.aliases.end());
  }
  for (const clusters::Pool& pool : cluster.pools) {
    if (catalog.gpus.find(pool.type) != nullptr || fold_name(pool.type) == kAnyGpu) continue;
    const auto nearest = nearest_name(pool.type, known);
    const bool priced = pool.hour_price > Dollars{};
    if (!nearest && pool.speed_from == clusters::SpeedFrom::stated && priced) continue;
    const std::string text =
        "the catalogue does not know '" + pool.type + "', so its speed is taken as " +
        number_text(pool.speed) + (priced ? "" : " and it has no price") +
        (nearest ? "; did you mean '" + *nearest + "'?" : "; a cluster file can state speed and price");
    if (std::ranges::find(notes, text) == notes.end()) notes.push_back(text);
  }
}

void add_mechanism_note(const simulate::SweepPlan& plan, std::vector<std::string>& notes) {
  std::vector<std::string> rounds;
  std::vector<std::string> events;
  for (std::size_t i = 0; i < plan.policies.size(); ++i) {
    (plan.mechanism(i) == "rounds" ? rounds : events).push_back(to_string(plan.policies[i]));
  }
  if (rounds.empty() || events.empty()) return;
  const bool one = rounds.size() == 1;
  notes.push_back(join(rounds, ", ") + (one ? " gives" : " give") + " shares of time and " +
                  (one ? "decides" : "decide") + " in rounds of " + human(plan.run.round) + "; " +
                  join(events, ", ") + (events.size() == 1 ? " decides" : " decide") +
                  " at every event; `mechanism` rounds compares all in rounds");
}

}  // namespace

void add_assumptions(const simulate::SweepPlan& plan, const catalog::Catalog& catalog, bool durations,
                     std::vector<std::string>& notes) {
  for (const clusters::Cluster& cluster : plan.clusters) {
    add_unknown_notes(cluster, catalog, notes);
    if (durations) add_speed_note(cluster, notes);
  }
  add_mechanism_note(plan, notes);
}

}  // namespace sextant::ask
