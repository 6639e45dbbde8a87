#include "elastic_places.h"

#include <algorithm>

#include "layout.h"

namespace sextant::capacity {
namespace {

class OwnedPlaces {
 public:
  OwnedPlaces(const CostModel& model, std::span<const WantedPlace> wanted)
      : model_(model), wanted_(wanted.begin(), wanted.end()), moves_(wanted.size(), false) {
    std::ranges::stable_sort(wanted_, std::greater(),
                             [&](const WantedPlace& want) { return cost(want).gpus; });
  }

  Decision place() {
    while (true) {
      Layout layout(model_);
      const std::size_t stuck = fill(layout);
      if (stuck == wanted_.size() || !loosen(layout, wanted_[stuck])) return layout.decision();
    }
  }

 private:
  [[nodiscard]] const OptionCost& cost(const WantedPlace& want) const {
    return model_.option(want.job, want.option);
  }
  [[nodiscard]] const JobState& state(const WantedPlace& want) const {
    return model_.snapshot().jobs[static_cast<std::size_t>(want.job)];
  }
  [[nodiscard]] bool stays(std::size_t i) const {
    return !moves_[i] && state(wanted_[i]).running == wanted_[i].option;
  }

  // Those that stay, then the others by size. The first that found no place, or their number.
  std::size_t fill(Layout& layout) const {
    std::size_t stuck = wanted_.size();
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (stays(i)) layout.place(wanted_[i].job, wanted_[i].option);
    }
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (stays(i) || layout.place(wanted_[i].job, wanted_[i].option)) continue;
      if (stuck == wanted_.size()) stuck = i;
    }
    return stuck;
  }

  // Jobs that stay on the node with the fewest GPUs in use that has any, and smaller ones than the one that
  // is stuck, may move. False where nobody is left who could.
  bool loosen(const Layout& layout, const WantedPlace& stuck) {
    std::int32_t best = kNone;
    for (std::int32_t node = 0; node < layout.nodes(); ++node) {
      if (layout.type_of(node) != cost(stuck).type || !can_clear(layout, node, cost(stuck).gpus)) continue;
      if (best == kNone || layout.used_of(node) < layout.used_of(best)) best = node;
    }
    if (best == kNone) return false;
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (stays(i) && is_on(wanted_[i], best)) moves_[i] = true;
    }
    return true;
  }

  [[nodiscard]] bool is_on(const WantedPlace& want, std::int32_t node) const {
    return std::ranges::any_of(state(want).shares, [node](const Share& share) { return share.node == node; });
  }

  [[nodiscard]] bool can_clear(const Layout& layout, std::int32_t node, std::int32_t than) const {
    const std::int32_t most = model_.snapshot().types[static_cast<std::size_t>(layout.type_of(node))].gpus;
    if (layout.used_of(node) == most && than >= most) {
      // A full node of one job is of no help; one of several small jobs is.
      if (layout.jobs_of(node).size() == 1) return false;
    }
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (stays(i) && cost(wanted_[i]).gpus < std::max(than, most) && is_on(wanted_[i], node)) return true;
    }
    return false;
  }

  const CostModel& model_;
  std::vector<WantedPlace> wanted_;
  std::vector<bool> moves_;
};

}  // namespace

Decision place_on_owned(const CostModel& model, std::span<const WantedPlace> wanted) {
  return OwnedPlaces(model, wanted).place();
}

}  // namespace sextant::capacity
