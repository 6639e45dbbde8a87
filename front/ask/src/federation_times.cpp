#include "sextant/ask/federation_times.h"

#include "sextant/core/unit_text.h"
#include "sextant/federated/federated_data.h"
#include "sextant/federated/simulate_rounds.h"
#include "sextant/nets/parameters.h"

namespace sextant::ask {
namespace {

constexpr std::size_t kFewestForInterval = 3;

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

federated::RoundCosts costs_of(const FederationTimesQuestion& question,
                               const federated::Federation& federation, const nets::Graph& graph,
                               double model_bytes) {
  federated::RoundCosts costs{.samples = {}, .model_bytes = model_bytes};
  for (const auto& share : open_data(federation, graph).shares) costs.samples.push_back(std::ssize(share));
  if (question.server_bandwidth) {
    costs.server_bytes_per_s =
        parse_bandwidth(*question.server_bandwidth, at_field("server_bandwidth")).value;
  }
  costs.server_s = parse_seconds(question.server_time, at_field("server_time")).value;
  return costs;
}

// What the seeds of one row add up to.
struct RowSums {
  std::vector<double> means;
  std::vector<double> totals;
  double answered = 0;
  double chosen = 0;
  double late = 0;
  double samples = 0;
  double seconds = 0;
};

void add_rounds(const std::vector<federated::SimulatedRound>& rounds, RowSums& sums) {
  double total = 0;
  for (const federated::SimulatedRound& round : rounds) {
    total += round.seconds;
    sums.answered += static_cast<double>(round.answered);
    sums.chosen += static_cast<double>(round.chosen);
    sums.late += static_cast<double>(round.late);
    sums.samples += static_cast<double>(round.samples);
  }
  sums.seconds += total;
  sums.totals.push_back(total);
  sums.means.push_back(total / static_cast<double>(rounds.size()));
}

}  // namespace

FederationTimesAnswer federation_times(const FederationTimesQuestion& question) {
  std::vector<federated::Federation> seeds = federations(question.federation);
  if (std::ssize(seeds) != question.federation.seeds) {
    throw InputError(at_field("strategy"), "one sampler and one strategy are simulated at a time");
  }
  const nets::Graph graph =
      build(nets::find_network(seeds.front().net, at_field("net")), seeds.front().sizes);
  FederationTimesAnswer answer{.rounds = question.federation.rounds,
                               .seeds = question.federation.seeds,
                               .model_bytes = sizeof(float) * model_values(graph),
                               .rows = {}};
  std::vector<federated::RoundCosts> costs;
  for (const federated::Federation& federation : seeds) {
    costs.push_back(costs_of(question, federation, graph, answer.model_bytes));
  }
  for (const std::int64_t per_round : question.per_round) {
    for (const std::string& deadline : question.deadline) {
      RowSums sums;
      for (std::size_t i = 0; i < seeds.size(); ++i) {
        seeds[i].per_round = per_round;
        seeds[i].deadline_s = deadline_seconds(deadline);
        check_federation(seeds[i]);
        add_rounds(simulate_rounds(seeds[i], costs[i]), sums);
      }
      const auto rounds = static_cast<double>(seeds.size()) * static_cast<double>(answer.rounds);
      answer.rows.push_back({.per_round = per_round,
                             .deadline_s = deadline_seconds(deadline),
                             .round_s = seed_mean(sums.means, kFewestForInterval),
                             .all_s = seed_mean(sums.totals, kFewestForInterval),
                             .answered = sums.answered / rounds,
                             .late_share = sums.chosen > 0 ? sums.late / sums.chosen : 0,
                             .samples_per_s = sums.seconds > 0 ? sums.samples / sums.seconds : 0});
    }
  }
  return answer;
}

}  // namespace sextant::ask
