#include "evidence_notes.h"

#include <set>

#include "sextant/core/text.h"

namespace sextant::ask {
namespace {

constexpr std::size_t kNamed = 4;  // GPUs that a note names

std::string names_of(const std::set<std::string>& gpus) {
  std::vector<std::string> named(gpus.begin(), gpus.end());
  if (named.size() <= kNamed) return join(named, ", ");
  const std::size_t others = named.size() - kNamed;
  named.resize(kNamed);
  return join(named, ", ") + " and " + std::to_string(others) + " others";
}

}  // namespace

std::vector<std::string> evidence_notes(const std::vector<DeviceEvidence>& answers) {
  std::set<std::string> timed;
  std::set<std::string> carried;
  std::set<std::string> untouched;
  for (const DeviceEvidence& answer : answers) {
    if (answer.evidence == predict::Evidence::none) {
      untouched.insert(answer.gpu);
    } else {
      (answer.evidence == predict::Evidence::carried ? carried : timed).insert(answer.gpu);
    }
  }
  std::vector<std::string> notes;
  if (!timed.empty() && !carried.empty()) {
    notes.push_back("the timings were made on " + names_of(timed) + "; " + names_of(carried) +
                    " are corrected by what these timings tell of the software alone, and are less certain");
  }
  if (!untouched.empty() && (!timed.empty() || !carried.empty())) {
    notes.push_back(names_of(untouched) + " are not corrected by the timings: compare them with care");
  }
  return notes;
}

}  // namespace sextant::ask
