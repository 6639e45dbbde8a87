#include <algorithm>
#include <optional>

#include "sextant/core/text.h"
#include "sextant/simulate/job_set.h"

namespace sextant::simulate {
namespace {

class TableSpeeds final : public SpeedSource {
 public:
  TableSpeeds(const jobs::ThroughputTable& table, const clusters::Cluster& cluster) : table_(table) {
    for (const clusters::Pool& pool : cluster.pools) {
      const auto type = table.find_type(pool.type);
      if (!type) {
        throw InputError(at_field("cluster"), "the throughput table has no GPU type '" + pool.type + "'",
                         name_hint(pool.type, table.types()));
      }
      types_.push_back(*type);
    }
  }

  std::optional<Refusal> fill(const std::string& model, JobClass& into) const override {
    const std::optional<std::size_t> key = key_of(model, into.gpus);
    const std::string what = "'" + model + "' on " + std::to_string(into.gpus) + " GPUs";
    if (!key) {  // the model is known, but nobody timed it with so many GPUs
      std::ranges::fill(into.rate, 0.0);
      return Refusal{RefusalKind::speed, "has no speed in the throughput table, which does not have " + what};
    }
    for (std::size_t t = 0; t < types_.size(); ++t) {
      const double alone = table_.alone(types_[t], *key);
      into.rate[t] = alone;
      const std::optional<double> spread = into.gpus > 1 ? table_.spread(types_[t], *key) : std::nullopt;
      // Some measured ratios are above one, by noise: spreading a gang is never taken to speed it up.
      if (spread && alone > 0) into.across_nodes[t] = into.across_racks[t] = std::min(1.0, *spread / alone);
    }
    const bool runs = std::ranges::any_of(into.rate, [](double rate) { return rate > 0; });
    if (runs) return std::nullopt;
    return Refusal{RefusalKind::speed, "has no speed above zero in the throughput table: " + what};
  }

  bool fill_pair(const std::string& first, const std::string& second, std::int32_t gpus,
                 PairOfClasses& into) const override {
    const std::optional<std::size_t> a = key_of(first, gpus);
    const std::optional<std::size_t> b = key_of(second, gpus);
    if (!a || !b) return false;
    bool known = false;
    into.first_rate.assign(types_.size(), 0);
    into.second_rate.assign(types_.size(), 0);
    for (std::size_t t = 0; t < types_.size(); ++t) {
      const auto rates = table_.together(types_[t], *a, *b);
      if (!rates) continue;
      known = true;
      into.first_rate[t] = rates->first;
      into.second_rate[t] = rates->second;
    }
    return known;
  }

 private:
  // Nothing where the table has the model with other numbers of GPUs only; InputError where it has it with
  // none.
  [[nodiscard]] std::optional<std::size_t> key_of(const std::string& model, std::int32_t gpus) const {
    if (const auto key = table_.find_key(model, gpus)) return key;
    std::vector<std::string> known;
    for (const jobs::ThroughputKey& key : table_.keys()) {
      if (key.model == model) return std::nullopt;
      known.push_back(key.model);
    }
    throw InputError({}, "the throughput table has no model '" + model + "'", name_hint(model, known));
  }

  const jobs::ThroughputTable& table_;
  std::vector<std::size_t> types_;  // of the table, by pool
};

}  // namespace

std::unique_ptr<SpeedSource> speeds_from_table(const jobs::ThroughputTable& table,
                                               const clusters::Cluster& cluster) {
  return std::make_unique<TableSpeeds>(table, cluster);
}

}  // namespace sextant::simulate
