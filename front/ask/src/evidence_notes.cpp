#include "evidence_notes.h"

#include "sextant/core/text.h"

namespace sextant::ask {
namespace {

constexpr std::size_t kNamed = 4;  // GPUs that a note names

}  // namespace

std::string gpu_list(const std::set<std::string>& gpus) {
  std::vector<std::string> named(gpus.begin(), gpus.end());
  if (named.size() <= kNamed) return join(named, ", ");
  const std::size_t others = named.size() - kNamed;
  named.resize(kNamed);
  return join(named, ", ") + " and " + std::to_string(others) + (others == 1 ? " other" : " others");
}

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
    notes.push_back("the timings were made on " + gpu_list(timed) + "; for " + gpu_list(carried) +
                    " only the software part of the correction is used, which is less certain");
  }
  if (!untouched.empty() && (!timed.empty() || !carried.empty())) {
    notes.push_back(gpu_list(untouched) + " are not corrected by the timings: compare with care");
  }
  return notes;
}

}  // namespace sextant::ask
