// Measured speeds of jobs by model, number of GPUs and GPU type, alone and in pairs that share GPUs: Gavel's
// JSON table. Keys are Python tuples printed as text, "('ResNet-50 (batch size 64)', 4)".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sextant::jobs {

struct ThroughputKey {
  std::string model;
  std::int64_t gpus = 1;
  auto operator<=>(const ThroughputKey&) const = default;
};

// "('ResNet-50 (batch size 64)', 4)"; nothing for anything else.
std::optional<ThroughputKey> parse_throughput_key(std::string_view text);

class ThroughputTable {
 public:
  static ThroughputTable parse(const std::string& text, const std::string& file);
  static ThroughputTable read_file(const std::string& path);

  [[nodiscard]] const std::vector<std::string>& types() const { return types_; }  // without *_unconsolidated
  [[nodiscard]] const std::vector<ThroughputKey>& keys() const { return keys_; }
  [[nodiscard]] std::optional<std::size_t> find_type(std::string_view type) const;
  [[nodiscard]] std::optional<std::size_t> find_key(std::string_view model, std::int64_t gpus) const;

  // Steps per second of the whole gang; 0: cannot run there, or not in the table.
  [[nodiscard]] double alone(std::size_t type, std::size_t key) const;
  // With the GPUs on several nodes; nothing where the table does not say.
  [[nodiscard]] std::optional<double> spread(std::size_t type, std::size_t key) const;
  // Both on the same GPUs: steps/s of `key`, of `other`; nothing where the table does not say.
  [[nodiscard]] std::optional<std::pair<double, double>> together(std::size_t type, std::size_t key,
                                                                  std::size_t other) const;

 private:
  friend class ThroughputParser;
  std::vector<std::string> types_;
  std::vector<ThroughputKey> keys_;
  std::vector<double> alone_;                  // [type][key]
  std::vector<std::optional<double>> spread_;  // [type][key]
  std::unordered_map<std::uint64_t, std::pair<double, double>> together_;
};

}  // namespace sextant::jobs
