#include "measured_federations.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "sextant/core/csv.h"
#include "sextant/federated/client_host.h"
#include "sextant/federated/federated_data.h"
#include "sextant/federated/server.h"
#include "sextant/stats/distributions.h"
#include "sextant/stats/summary.h"

namespace sextant::ask {
namespace {

using federated::Federation;
using federated::RoundNote;

constexpr std::size_t kFewestMeasured = 3;

double median_value(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// What decides how many rounds an accuracy takes, as text.
std::string learning_of(Federation f) {
  const Federation usual;
  const bool by_time = f.deadline_s > 0 || f.over_select > 0 || !f.availability_trace.empty() ||
                       f.strategy.starts_with("tifl");
  if (!by_time) {
    f.speed = usual.speed;
    f.bandwidth = usual.bandwidth;
  }
  f.rounds = usual.rounds;
  f.learning_rate = usual.learning_rate;
  f.momentum = usual.momentum;
  f.worker_momentum = usual.worker_momentum;
  f.rule = usual.rule;
  f.attack = usual.attack;
  f.attackers = usual.attackers;
  f.attackers_hold = usual.attackers_hold;
  f.test_samples = usual.test_samples;
  f.broken = usual.broken;
  f.hosts = usual.hosts;
  f.threads = usual.threads;
  f.transport = usual.transport;
  f.timeout_s = usual.timeout_s;
  f.seed = usual.seed;
  f.spans = usual.spans;
  f.traceparent = usual.traceparent;
  return to_json(f).dump();
}

// A part of the variance of one more value, and the degrees of freedom that it is known with.
struct VariancePart {
  double variance;
  double freedom;
};
VariancePart variance_of_another(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  return {.variance = stats::variance(values) * (1 + 1 / n), .freedom = n - 1};
}

// Of the 95 % interval of a sum whose parts are known so well (Satterthwaite, Biometrics Bulletin 1946), with
// `sure` a variance that is known.
double half_width(const std::vector<VariancePart>& parts, double sure) {
  double variance = sure;
  double squares = 0;
  for (const VariancePart& part : parts) {
    variance += part.variance;
    squares += part.variance * part.variance / part.freedom;
  }
  constexpr double kMostFreedom = 1e6;
  const double freedom = squares > 0 ? std::min(variance * variance / squares, kMostFreedom) : kMostFreedom;
  return stats::upper_quantile(stats::StudentT{freedom}, 0.025) * std::sqrt(variance);
}

}  // namespace

std::vector<MeasuredFederation> read_measured(const std::vector<std::string>& folders) {
  std::vector<MeasuredFederation> runs;
  for (const std::string& folder : folders) {
    const measure::RunFolder kept{std::filesystem::path(folder)};
    const std::filesystem::path file = federated::federation_file(kept);
    std::error_code error;
    if (!std::filesystem::exists(file, error)) {
      throw InputError(at_field("measured"), folder + " holds no federation",
                       "train one that is kept there: sextant federate with `folder`");
    }
    MeasuredFederation run{
        .folder = folder,
        .federation = federated::federation_from_json(read_text_file(file.string()), file.string()),
        .rounds = {}};
    run.rounds = federated::read_rounds(kept, run.federation.rounds);
    if (run.rounds.empty())
      throw InputError(at_field("measured"), folder + " holds no round that was completed");
    runs.push_back(std::move(run));
  }
  return runs;
}

std::optional<MeasuredComputing> measured_computing(const std::vector<MeasuredFederation>& runs) {
  std::vector<double> speeds;
  std::vector<double> server;
  for (const MeasuredFederation& run : runs) {
    const Federation& f = run.federation;
    const nets::Graph graph = build(nets::find_network(f.net, at_field("measured")), f.sizes);
    const federated::Shares shares = open_data(f, graph).shares;
    for (const RoundNote& note : run.rounds) {
      if (note.round == 1 && run.rounds.size() > 1) continue;
      double samples = 0;
      for (const std::int64_t client : note.answered) {
        const auto work =
            local_work(f, client, note.round, std::ssize(shares.at(static_cast<std::size_t>(client))));
        samples += static_cast<double>(work.steps * work.batch);
      }
      if (!(note.train_seconds > 0) || samples == 0) continue;
      speeds.push_back(samples / note.train_seconds);
      server.push_back(note.seconds.rule + note.seconds.evaluation);
    }
  }
  if (speeds.empty()) return {};
  return MeasuredComputing{.samples_per_s = median_value(speeds), .server_s = median_value(server)};
}

bool learns_alike(const Federation& measured, const Federation& row) {
  return learning_of(measured) == learning_of(row);
}

std::optional<std::int64_t> rounds_until(const MeasuredFederation& run, double accuracy) {
  for (const RoundNote& note : run.rounds) {
    if (note.test.accuracy() >= accuracy) return note.round;
  }
  return {};
}

// Logarithms of a seed's time and of a run's rounds vary for reasons of their own, so their variances add up.
void set_target_times(const TargetTimes& times, FederationTimes& row) {
  std::vector<double> by_seed;
  std::vector<double> by_run(times.rounds.size(), 0);
  double sum = 0;
  for (const std::vector<double>& seconds : times.seconds_by_seed) {
    double of_seed = 0;
    for (std::size_t run = 0; run < times.rounds.size(); ++run) {
      const auto rounds = static_cast<std::size_t>(times.rounds[run]);
      const std::size_t made = std::min(rounds, seconds.size());
      const double simulated =
          std::accumulate(seconds.begin(), seconds.begin() + static_cast<std::ptrdiff_t>(made), 0.0);
      const double total = simulated * static_cast<double>(rounds) / static_cast<double>(made);
      if (!(total > 0)) return;
      sum += total;
      of_seed += std::log(total) / static_cast<double>(times.rounds.size());
      by_run[run] += std::log(total) / static_cast<double>(times.seconds_by_seed.size());
    }
    by_seed.push_back(of_seed);
  }
  row.rounds_to_target =
      static_cast<double>(std::accumulate(times.rounds.begin(), times.rounds.end(), std::int64_t{0})) /
      static_cast<double>(times.rounds.size());
  row.target_s = sum / static_cast<double>(times.rounds.size() * times.seconds_by_seed.size());
  if (std::min(by_seed.size(), by_run.size()) < kFewestMeasured) return;
  // Runs that all need the same number of rounds still need whole ones.
  const double whole = 1 / (12 * *row.rounds_to_target * *row.rounds_to_target);
  const double width = half_width({variance_of_another(by_seed), variance_of_another(by_run)}, whole);
  row.target_from_s = *row.target_s * std::exp(-width);
  row.target_to_s = *row.target_s * std::exp(width);
}

}  // namespace sextant::ask
