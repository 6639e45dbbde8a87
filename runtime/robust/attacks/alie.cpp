// A little is enough: at each coordinate attackers send the honest mean minus z standard deviations, with the
// largest z at which enough honest updates are further out than theirs: z = Phi^-1((n - f - s) / (n - f)), s
// = floor(n / 2) + 1 - f, and not below zero. The standard deviation is that of a sample. Baruch, Baruch,
// Goldberg, NeurIPS 2019.
#include "flat_math.h"
#include "sextant/stats/distributions.h"
#include "visible_updates.h"

namespace sextant::robust::attack_alie {
namespace {

double most_deviations(std::size_t participants, std::size_t attackers) {
  if (participants <= attackers) return 0;
  const std::size_t majority = participants / 2 + 1;
  const std::size_t supporters = majority > attackers ? majority - attackers : 1;
  const auto honest = static_cast<double>(participants - attackers);
  const double share = (honest - static_cast<double>(supporters)) / honest;
  return share > 0.5 ? stats::quantile(stats::Normal{}, share) : 0;
}

class Alie final : public Attack {
 public:
  explicit Alie(double z) : z_(z) {}

  void forge(const AttackRound& round, std::vector<std::vector<float>>& out) override {
    if (out.empty()) return;
    const double z = z_ > 0 ? z_ : most_deviations(round.participants, round.own.size());
    const Moments moments = moments_of(visible_updates(round));
    std::vector<float> sent(moments.mean.size());
    for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = finite_float(moments.mean[i] - z * moments.sd[i]);
    for (auto& row : out) row = sent;
  }

 private:
  double z_;  // 0: from the numbers
};

}  // namespace

std::vector<AttackInfo> plugin() {
  AttackInfo info;
  info.id = "alie";
  info.summary = "attackers shift the honest mean by as much as looks honest";
  info.reference = "Baruch, Baruch, Goldberg, NeurIPS 2019 (A Little Is Enough)";
  ParameterInfo z =
      number_parameter("z", "standard deviations; auto: from the numbers of clients and attackers",
                       {.fallback = 0, .low = 0, .high = 1e6});
  z.words = {{.name = "auto", .value = 0}};
  info.parameters = {z};
  info.aliases = {"a-little-is-enough", "lie"};
  info.forges = true;
  info.omniscient = true;
  info.make = [](const AttackSetup& setup) -> std::unique_ptr<Attack> {
    return std::make_unique<Alie>(setup.parameters.number("z"));
  };
  return {info};
}

}  // namespace sextant::robust::attack_alie
