// Attackers all send what one honest client sends, so that rules give it more weight than it has. For the
// first rounds it is the one that has reached furthest along the direction in which honest updates differ
// most; the last of these stays. Karimireddy, He, Jaggi, ICLR 2022.
#include <cmath>
#include <map>

#include "flat_math.h"
#include "visible_updates.h"

namespace sextant::robust::attack_mimic {
namespace {

double dot(std::span<const float> values, const std::vector<double>& direction) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += static_cast<double>(values[i]) * direction[i];
  return sum;
}

void to_length_one(std::vector<double>& direction) {
  double square = 0;
  for (const double value : direction) square += value * value;
  if (!(square > 0) || !std::isfinite(square)) return;
  for (double& value : direction) value /= std::sqrt(square);
}

class Mimic final : public Attack {
 public:
  Mimic(std::int64_t warmup, std::uint64_t seed) : warmup_(warmup), rng_(Rng(seed).stream("mimic")) {}

  void forge(const AttackRound& round, std::vector<std::vector<float>>& out) override {
    const Updates& seen = visible_updates(round);
    if (seen.size() == 0) return;
    if (rounds_ < warmup_) {
      turn(seen);
      for (const Update& row : seen.rows) reach_[row.client] += dot(row.values, direction_);
      ++rounds_;
    }
    const Update* chosen = nullptr;
    for (const Update& row : seen.rows) {
      if (chosen == nullptr || reach_of(row) > reach_of(*chosen)) chosen = &row;
    }
    for (auto& row : out) row.assign(chosen->values.begin(), chosen->values.end());
  }

 private:
  [[nodiscard]] double reach_of(const Update& row) const {
    const auto found = reach_.find(row.client);
    return found == reach_.end() ? 0 : std::abs(found->second);
  }

  // A step of Oja's rule towards the first principal direction of the honest updates.
  void turn(const Updates& seen) {
    if (direction_.size() != seen.dimension) {
      direction_.resize(seen.dimension);
      for (double& value : direction_) value = rng_.normal();
      to_length_one(direction_);
    }
    const Moments moments = moments_of(seen);
    std::vector<double> pull(seen.dimension, 0);
    for (const Update& row : seen.rows) {
      double along = 0;
      for (std::size_t i = 0; i < pull.size(); ++i) {
        along += (static_cast<double>(row.values[i]) - moments.mean[i]) * direction_[i];
      }
      for (std::size_t i = 0; i < pull.size(); ++i) {
        pull[i] += along * (static_cast<double>(row.values[i]) - moments.mean[i]);
      }
    }
    to_length_one(pull);
    const auto t = static_cast<double>(rounds_);
    for (std::size_t i = 0; i < pull.size(); ++i) direction_[i] = (t * direction_[i] + pull[i]) / (t + 1);
    to_length_one(direction_);
  }

  std::int64_t warmup_;
  Rng rng_;
  std::int64_t rounds_ = 0;
  std::vector<double> direction_;
  std::map<std::int64_t, double> reach_;  // by client
};

}  // namespace

std::vector<AttackInfo> plugin() {
  AttackInfo info;
  info.id = "mimic";
  info.summary = "attackers all send what one honest client sends";
  info.reference = "Karimireddy, He, Jaggi, ICLR 2022";
  info.parameters = {count_parameter("warmup", "rounds in which the client is looked for",
                                     {.fallback = 10, .low = 1, .high = 1e6})};
  info.forges = true;
  info.omniscient = true;
  info.make = [](const AttackSetup& setup) -> std::unique_ptr<Attack> {
    return std::make_unique<Mimic>(setup.parameters.count("warmup"), setup.seed);
  };
  return {info};
}

}  // namespace sextant::robust::attack_mimic
