// A little is enough: at each coordinate attackers send the honest mean minus z standard deviations, with the
// largest z at which enough honest updates are further out than theirs: z = Phi^-1((n - f - s) / (n - f)), s
// = floor(n / 2) + 1 - f, and not below zero. The standard deviation is that of a sample. Baruch, Baruch,
// Goldberg, NeurIPS 2019. What Flower's FLANDERS baseline runs under this name is another, stronger attack:
// z = Phi((n - f - s) / (n - f)), and the root of the standard deviation in place of the deviation.
#include <cmath>

#include "flat_math.h"
#include "sextant/stats/distributions.h"
#include "visible_updates.h"

namespace sextant::robust::attack_alie {
namespace {

enum class Form { paper, flanders };

// Of the honest, who are further out than attackers may be.
double share_within(std::size_t participants, std::size_t attackers) {
  if (participants <= attackers) return 0;
  const std::size_t majority = participants / 2 + 1;
  const std::size_t supporters = majority > attackers ? majority - attackers : 1;
  const auto honest = static_cast<double>(participants - attackers);
  return (honest - static_cast<double>(supporters)) / honest;
}

double most_deviations(double share, Form form) {
  if (form == Form::flanders) return stats::cdf(stats::Normal{}, share);
  return share > 0.5 ? stats::quantile(stats::Normal{}, share) : 0;
}

class Alie final : public Attack {
 public:
  Alie(double z, Form form) : z_(z), form_(form) {}

  void forge(const AttackRound& round, std::vector<std::vector<float>>& out) override {
    if (out.empty()) return;
    const double z = z_ > 0 ? z_ : most_deviations(share_within(round.participants, round.own.size()), form_);
    const Moments moments = moments_of(visible_updates(round));
    std::vector<float> sent(moments.mean.size());
    for (std::size_t i = 0; i < sent.size(); ++i) {
      const double spread = form_ == Form::flanders ? std::sqrt(moments.sd[i]) : moments.sd[i];
      sent[i] = finite_float(moments.mean[i] - z * spread);
    }
    for (auto& row : out) row = sent;
  }

 private:
  double z_;  // 0: from the numbers
  Form form_;
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
  info.parameters = {z, word_parameter("form", "flanders: that of Flower's baseline, which is stronger",
                                       {"paper", "flanders"}, "paper")};
  info.aliases = {"a-little-is-enough", "lie"};
  info.forges = true;
  info.omniscient = true;
  info.make = [](const AttackSetup& setup) -> std::unique_ptr<Attack> {
    return std::make_unique<Alie>(setup.parameters.number("z"), setup.parameters.one_of<Form>("form"));
  };
  return {info};
}

}  // namespace sextant::robust::attack_alie
