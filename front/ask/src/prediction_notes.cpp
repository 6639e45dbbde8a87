#include "prediction_notes.h"

#include <algorithm>
#include <set>

#include "evidence_notes.h"
#include "sextant/core/text.h"

namespace sextant::ask {
namespace {

struct Reason {
  std::string text;
  std::set<std::string> gpus;
};

// In the order in which they come up.
std::vector<Reason> reasons_of(const std::vector<GpuPrediction>& predictions) {
  std::vector<Reason> reasons;
  for (const auto& [gpu, prediction] : predictions) {
    for (const std::string& text : prediction->outside) {
      auto it = std::ranges::find(reasons, text, &Reason::text);
      if (it == reasons.end()) it = reasons.insert(reasons.end(), Reason{text, {}});
      it->gpus.insert(gpu);
    }
  }
  return reasons;
}

std::string outside_note(const std::vector<GpuPrediction>& predictions) {
  std::set<std::string> gpus;
  for (const auto& each : predictions) gpus.insert(each.gpu);
  std::vector<std::string> parts;
  for (const Reason& reason : reasons_of(predictions)) {
    parts.push_back(reason.text +
                    (reason.gpus.size() < gpus.size() ? " (" + gpu_list(reason.gpus) + ")" : ""));
  }
  return parts.empty() ? "" : "the answer is less certain because " + join(parts, "; ");
}

}  // namespace

std::vector<std::string> prediction_notes(const std::vector<GpuPrediction>& predictions) {
  std::vector<std::string> notes;
  if (const std::string outside = outside_note(predictions); !outside.empty()) notes.push_back(outside);
  for (const auto& each : predictions) {
    for (const std::string& note : each.prediction->notes) {
      if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
    }
  }
  return notes;
}

}  // namespace sextant::ask
