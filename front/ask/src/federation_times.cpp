#include "sextant/ask/federation_times.h"

#include "measured_federations.h"
#include "sextant/core/unit_text.h"
#include "sextant/federated/federated_data.h"
#include "sextant/federated/simulate_rounds.h"
#include "sextant/nets/parameters.h"

namespace sextant::ask {
namespace {

using federated::Federation;
using federated::RoundCosts;

constexpr std::size_t kFewestForInterval = 3;
constexpr const char* kMeasured = "measured";

// Statistics travel too.
double model_values(const nets::Graph& graph) {
  double values = 0;
  for (const nets::Node& node : graph.nodes) {
    for (const nets::WeightTensor& tensor : nets::weight_tensors(graph, node)) {
      values += static_cast<double>(nets::element_count(tensor.shape));
    }
  }
  return values;
}

double deadline_seconds(const std::string& text) {
  return text == "none" ? 0 : parse_seconds(text, at_field("deadline")).value;
}

double over_selection(const std::string& text) {
  const std::optional<double> share = to_number(text);
  if (share && *share >= 0) return *share;
  throw InputError(at_field("over_select"), "'" + text + "' is no share",
                   "a number from 0 on: 0.3 chooses 13 for 10");
}

// What the seeds of one row add up to.
struct RowSums {
  std::vector<std::vector<double>> seconds_by_seed = {};
  std::vector<double> means = {};
  std::vector<double> totals = {};
  double answered = 0;
  double chosen = 0;
  double late = 0;
  double dropped = 0;
  double samples = 0;
  double seconds = 0;
};

void add_rounds(const std::vector<federated::SimulatedRound>& rounds, RowSums& sums) {
  double total = 0;
  std::vector<double> seconds;
  for (const federated::SimulatedRound& round : rounds) {
    seconds.push_back(round.seconds);
    total += round.seconds;
    sums.answered += static_cast<double>(round.answered);
    sums.chosen += static_cast<double>(round.chosen);
    sums.late += static_cast<double>(round.late);
    sums.dropped += static_cast<double>(round.dropped);
    sums.samples += static_cast<double>(round.samples);
  }
  sums.seconds += total;
  sums.totals.push_back(total);
  sums.means.push_back(total / static_cast<double>(rounds.size()));
  sums.seconds_by_seed.push_back(std::move(seconds));
}

class TimesSweep {
 public:
  explicit TimesSweep(const FederationTimesQuestion& question)
      : question_(question), runs_(read_measured(question.measured)) {
    answer_ = {.rounds = question.federation.rounds,
               .seeds = question.federation.seeds,
               .target = question.federation.target,
               .rows = {}};
    check_measured();
    FederateQuestion asked = question.federation;
    if (asked.speed == kMeasured)
      asked.speed = "constant:value=" + number_text(measured("speed").samples_per_s);
    all_ = federations(asked);
    const std::size_t expected = asked.strategy.size() * static_cast<std::size_t>(asked.seeds);
    if (all_.size() != expected)
      throw InputError(at_field("sampler"), "one sampler is simulated at a time", "name each strategy once");
    set_costs();
  }

  FederationTimesAnswer run() {
    const auto seeds = static_cast<std::size_t>(question_.federation.seeds);
    for (std::size_t first = 0; first < all_.size(); first += seeds) {
      const std::span<const Federation> strategy(all_.data() + first, seeds);
      for (const std::int64_t per_round : question_.per_round) {
        for (const std::string& over : question_.over_select) {
          for (const std::string& deadline : question_.deadline) {
            Federation policy = strategy.front();
            policy.per_round = per_round;
            policy.over_select = over_selection(over);
            policy.deadline_s = deadline_seconds(deadline);
            add_row(strategy, policy);
          }
        }
      }
    }
    return std::move(answer_);
  }

 private:
  // Another network, or another batch, has other times.
  void check_measured() {
    if (runs_.empty()) return;
    const std::string net = nets::find_network(question_.federation.net, at_field("net")).id;
    for (const MeasuredFederation& run : runs_) {
      if (run.federation.net == net && run.federation.sizes.batch == question_.federation.batch) continue;
      throw InputError(at_field("measured"),
                       run.folder + " was trained with " + run.federation.net + " in batches of " +
                           std::to_string(run.federation.sizes.batch),
                       "measure the network and the batch that you ask about");
    }
    answer_.measured = measured_computing(runs_);
  }

  const MeasuredComputing& measured(const char* field) const {
    if (answer_.measured) return *answer_.measured;
    throw InputError(at_field(field), "nothing was measured",
                     "name a folder of sextant federate with `measured`");
  }

  // The shares of clients differ from seed to seed, and from strategy to strategy they do not.
  void set_costs() {
    const nets::Graph graph =
        build(nets::find_network(all_.front().net, at_field("net")), all_.front().sizes);
    answer_.model_bytes = sizeof(float) * model_values(graph);
    RoundCosts common{.samples = {}, .model_bytes = answer_.model_bytes};
    if (question_.server_bandwidth) {
      common.server_bytes_per_s =
          parse_bandwidth(*question_.server_bandwidth, at_field("server_bandwidth")).value;
    }
    common.server_s = question_.server_time == kMeasured
                          ? measured("server_time").server_s
                          : parse_seconds(question_.server_time, at_field("server_time")).value;
    common.hosts = question_.hosts;
    common.cores = question_.cores;
    if (common.hosts > all_.front().clients) {
      throw InputError(at_field("hosts"),
                       std::to_string(common.hosts) + " processes for " +
                           std::to_string(all_.front().clients) + " clients",
                       "take no more processes than clients");
    }
    for (std::int64_t seed = 0; seed < question_.federation.seeds; ++seed) {
      RoundCosts costs = common;
      for (const auto& share : open_data(all_[static_cast<std::size_t>(seed)], graph).shares)
        costs.samples.push_back(std::ssize(share));
      costs_.push_back(std::move(costs));
    }
  }

  void add_row(std::span<const Federation> seeds, const Federation& policy) {
    RowSums sums;
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      Federation federation = policy;
      federation.seed = seeds[i].seed;
      check_federation(federation);
      add_rounds(simulate_rounds(federation, costs_[i]), sums);
    }
    const auto rounds = static_cast<double>(seeds.size()) * static_cast<double>(answer_.rounds);
    FederationTimes row{.strategy = policy.strategy,
                        .per_round = policy.per_round,
                        .over_select = policy.over_select,
                        .deadline_s = policy.deadline_s,
                        .round_s = seed_mean(sums.means, kFewestForInterval),
                        .all_s = seed_mean(sums.totals, kFewestForInterval),
                        .answered = sums.answered / rounds,
                        .late_share = sums.chosen > 0 ? sums.late / sums.chosen : 0,
                        .dropped_share = sums.chosen > 0 ? sums.dropped / sums.chosen : 0,
                        .samples_per_s = sums.seconds > 0 ? sums.samples / sums.seconds : 0,
                        .rounds_s = sums.seconds_by_seed.front()};
    add_target(policy, std::move(sums.seconds_by_seed), row);
    answer_.rows.push_back(std::move(row));
  }

  void add_target(const Federation& policy, std::vector<std::vector<double>> seconds,
                  FederationTimes& row) const {
    TargetTimes times{.seconds_by_seed = std::move(seconds), .rounds = {}};
    for (const MeasuredFederation& run : runs_) {
      if (!learns_alike(run.federation, policy)) continue;
      ++row.runs;
      const std::optional<std::int64_t> rounds = rounds_until(run, question_.federation.target);
      if (rounds) times.rounds.push_back(*rounds);
    }
    row.runs_at_target = std::ssize(times.rounds);
    if (row.runs > 0 && row.runs_at_target == row.runs) set_target_times(times, row);
  }

  const FederationTimesQuestion& question_;
  std::vector<MeasuredFederation> runs_;
  FederationTimesAnswer answer_;
  std::vector<Federation> all_;
  std::vector<RoundCosts> costs_;  // of each seed
};

}  // namespace

FederationTimesAnswer federation_times(const FederationTimesQuestion& question) {
  return TimesSweep(question).run();
}

}  // namespace sextant::ask
