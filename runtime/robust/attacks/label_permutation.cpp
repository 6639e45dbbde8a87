// Attackers train with all labels exchanged by one permutation. "reverse" is C - 1 - y, which code bases call
// label flip (Karimireddy, He, Jaggi, ICLR 2022: 9 - y); "cycle" is y + 1; "random" moves every class, drawn
// once for a run.
#include <algorithm>
#include <numeric>

#include "sextant/robust/attack.h"

namespace sextant::robust::attack_label_permutation {
namespace {

enum class Exchange { reverse, cycle, random };

class LabelPermutation final : public Attack {
 public:
  LabelPermutation(Exchange exchange, std::uint64_t seed) : exchange_(exchange), seed_(seed) {}

  void poison(const Samples& samples, Rng&) const override {
    const std::vector<std::int64_t> to = permutation(samples.classes);
    for (std::int64_t& label : samples.labels) label = to.at(static_cast<std::size_t>(label));
  }
  void pose(const Samples& samples) const override {
    const std::vector<std::int64_t> to = permutation(samples.classes);
    for (std::int64_t& label : samples.labels) {
      const std::int64_t wanted = to.at(static_cast<std::size_t>(label));
      label = wanted == label ? kNotAttacked : wanted;
    }
  }

 private:
  [[nodiscard]] std::vector<std::int64_t> permutation(std::int64_t classes) const {
    std::vector<std::int64_t> to(static_cast<std::size_t>(classes));
    std::iota(to.begin(), to.end(), 0);
    if (exchange_ == Exchange::reverse) {
      std::ranges::reverse(to);
    } else if (exchange_ == Exchange::cycle) {
      std::rotate(to.begin(), to.begin() + (to.empty() ? 0 : 1), to.end());
    } else {
      // Sattolo's shuffle: one cycle through all classes.
      Rng rng = Rng(seed_).stream("labels");
      for (std::size_t i = to.size(); i > 1; --i) std::swap(to[i - 1], to[rng.below(i - 1)]);
    }
    return to;
  }

  Exchange exchange_;
  std::uint64_t seed_;
};

}  // namespace

std::vector<AttackInfo> plugin() {
  AttackInfo info;
  info.id = "label-permutation";
  info.summary = "attackers train with all labels exchanged";
  info.reference = "Karimireddy, He, Jaggi, ICLR 2022 (reverse)";
  info.parameters = {word_parameter("exchange", "of the labels", {"reverse", "cycle", "random"}, "reverse")};
  info.aliases = {"permuted-label-flip"};
  info.poisons = true;
  info.make = [](const AttackSetup& setup) -> std::unique_ptr<Attack> {
    return std::make_unique<LabelPermutation>(setup.parameters.one_of<Exchange>("exchange"), setup.seed);
  };
  return {info};
}

}  // namespace sextant::robust::attack_label_permutation
