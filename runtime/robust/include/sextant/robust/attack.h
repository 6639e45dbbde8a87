// Attacks on training, one file each in runtime/robust/attacks. An attack poisons the data that attackers
// train on, forges what they send, or both. All attackers of a round are one object: they know of each other.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sextant/core/registry.h"
#include "sextant/core/rng.h"
#include "sextant/robust/updates.h"

namespace sextant::robust {

// Images and labels that an attack changes in place.
struct Samples {
  std::span<float> values = {};  // sample x channel x height x width
  std::span<std::int64_t> labels = {};
  std::int64_t channels = 1;
  std::int64_t height = 1;
  std::int64_t width = 1;
  std::int64_t classes = 10;
};

// Label of a test sample of which the attack wants nothing.
constexpr std::int64_t kNotAttacked = -1;

struct AttackRound {
  const Updates&
      own;  // what each attacker would send were it honest, trained on the poisoned data; a row each
  const Updates& honest;                    // what the others send; no rows where attackers cannot see it
  std::span<const float> last_change = {};  // of the global model in the round before; empty in the first
  std::size_t participants = 0;             // of this round, attackers and others
  std::int64_t round = 0;
  Rng rng{0};  // of this round
};

class Attack {
 public:
  virtual ~Attack() = default;
  // What attackers train on instead of their samples.
  virtual void poison(const Samples&, Rng&) const {}
  // Makes test samples into those that tell whether the attack succeeds: a label becomes the class that the
  // attack wants, or kNotAttacked.
  virtual void pose(const Samples& samples) const;
  // What attackers send: `out` comes with a row for each attacker, a copy of its own update.
  virtual void forge(const AttackRound&, std::vector<std::vector<float>>&) {}
};

struct AttackSetup {
  Parameters parameters = {};
  std::uint64_t seed = 0;  // of what is drawn once, as a permutation of labels
};

struct AttackInfo : PluginInfo {
  static constexpr PluginKind kKind = {"attack", "attacks", "what bad clients and workers do to training",
                                       "attack"};

  std::vector<std::string> aliases = {};
  bool poisons = false;     // the data of attackers
  bool forges = false;      // what they send
  bool omniscient = false;  // needs what honest clients send in the same round
  std::unique_ptr<Attack> (*make)(const AttackSetup&) = nullptr;
};

// All files of runtime/robust/attacks, sorted by id.
const Registry<AttackInfo>& attacks();

// An attack and its parameters as people write it: "alie:z=1.5", or "alie/z=1.5" where it stands in another
// text.
struct AttackChoice {
  const AttackInfo* attack = nullptr;
  Parameters parameters = {};
};
AttackChoice parse_attack(std::string_view text, const SourcePos& at = {});
// What differs from the defaults: "alie:z=1.5"
std::string to_string(const AttackChoice& choice);
std::unique_ptr<Attack> make_attack(const AttackChoice& choice, std::uint64_t seed = 0);

}  // namespace sextant::robust
