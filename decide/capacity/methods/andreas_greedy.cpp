// The greedy method of ANDREAS as its simulator has it (Filippini et al., TSC 2023), for comparisons with its
// published costs. It differs from "greedy" in that everything is decided anew at every event, that a node is
// opened as the largest machine of its GPU and shrunk when all jobs are placed, and that idle GPUs go to one
// job of all nodes.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "layout.h"
#include "sextant/capacity/method.h"

namespace sextant::capacity::planning_method_andreas_greedy {
namespace {

struct OpenNode {
  std::int32_t node = kNone;  // in the snapshot
  std::string gpu;
  std::int32_t type = kNone;
  std::int32_t used = 0;
};

struct Choice {
  std::int32_t job = kNone;
  std::int32_t gpus = 0;
  std::size_t open = 0;
};

class AndreasGreedy {
 public:
  explicit AndreasGreedy(const Snapshot& snapshot) : snapshot_(snapshot), model_(snapshot), layout_(model_) {}

  Decision decide() {
    for (const std::int32_t job : by_pressure()) assign(job);
    for (OpenNode& node : open_) shrink(node);
    give_idle_gpus();
    for (const Choice& choice : choices_) {
      const OpenNode& node = open_[choice.open];
      const std::int32_t option = option_of(choice.job, node.type, choice.gpus);
      if (option != kNone) layout_.place_on(choice.job, option, node.node);
    }
    return layout_.decision();
  }

 private:
  [[nodiscard]] const MachineType& machine(std::int32_t type) const {
    return snapshot_.types[static_cast<std::size_t>(type)];
  }
  [[nodiscard]] std::int32_t idle(const OpenNode& node) const { return machine(node.type).gpus - node.used; }

  // How late a job ends that has the fastest configuration from now on; the latest first.
  [[nodiscard]] std::vector<std::int32_t> by_pressure() const {
    std::vector<std::int32_t> order(snapshot_.jobs.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::int32_t job) {
      double fastest = std::numeric_limits<double>::infinity();
      for (const OptionCost& option : model_.options(job)) fastest = std::min(fastest, option.time);
      return model_.slack(job) - fastest;
    });
    return order;
  }

  // By price of the whole machine where the due date is kept, then by time.
  [[nodiscard]] std::vector<std::int32_t> best_first(std::int32_t job) const {
    const std::vector<OptionCost>& options = model_.options(job);
    std::vector<std::int32_t> order;
    for (std::size_t o = 0; o < options.size(); ++o) {
      if (options[o].nodes == 1) order.push_back(static_cast<std::int32_t>(o));
    }
    std::ranges::stable_sort(order, {}, [&](std::int32_t index) {
      const OptionCost& option = options[static_cast<std::size_t>(index)];
      const double price = model_.rate(option.type, option.gpus) * option.time;
      return option.due_time > model_.slack(job) ? std::tuple(1, option.time) : std::tuple(0, price);
    });
    return order;
  }

  void assign(std::int32_t job) {
    bool first = true;
    for (const std::int32_t index : best_first(job)) {
      const OptionCost& option = model_.option(job, index);
      if (join(job, machine(option.type).gpu, option.gpus)) return;
      if (first && open(job, option)) return;
      first = false;
    }
  }

  // The open node of that GPU where the fewest stay idle.
  bool join(std::int32_t job, const std::string& gpu, std::int32_t gpus) {
    std::size_t best = open_.size();
    for (std::size_t i = 0; i < open_.size(); ++i) {
      if (open_[i].gpu != gpu || idle(open_[i]) < gpus) continue;
      if (best == open_.size() || idle(open_[i]) < idle(open_[best])) best = i;
    }
    if (best == open_.size()) return false;
    open_[best].used += gpus;
    choices_.push_back({.job = job, .gpus = gpus, .open = best});
    return true;
  }

  bool open(std::int32_t job, const OptionCost& option) {
    for (std::int32_t node = next_; node < layout_.nodes(); ++node) {
      const std::int32_t type = largest(node, machine(option.type).gpu, option.gpus);
      if (type == kNone) continue;
      next_ = node + 1;
      open_.push_back({.node = node, .gpu = machine(type).gpu, .type = type, .used = option.gpus});
      choices_.push_back({.job = job, .gpus = option.gpus, .open = open_.size() - 1});
      return true;
    }
    return false;
  }

  [[nodiscard]] std::int32_t largest(std::int32_t node, const std::string& gpu, std::int32_t gpus) const {
    std::int32_t best = kNone;
    for (std::int32_t t = 0; t < static_cast<std::int32_t>(snapshot_.types.size()); ++t) {
      if (machine(t).gpu != gpu || machine(t).gpus < gpus || !layout_.may_be(node, t)) continue;
      if (best == kNone || machine(t).gpus > machine(best).gpus) best = t;
    }
    return best;
  }

  // The cheapest machine of the same GPU that has as many GPUs as are used, or one more.
  void shrink(OpenNode& node) const {
    if (idle(node) == 0) return;
    for (std::int32_t t = 0; t < static_cast<std::int32_t>(snapshot_.types.size()); ++t) {
      const MachineType& other = machine(t);
      const bool fits = other.gpu == node.gpu && (other.gpus == node.used || other.gpus == node.used + 1);
      if (fits && other.hour_price < machine(node.type).hour_price && layout_.may_be(node.node, t))
        node.type = t;
    }
  }

  // All idle GPUs of one node, to the job of all that gains the most time by it.
  void give_idle_gpus() {
    double most = 0;
    Choice* winner = nullptr;
    for (Choice& choice : choices_) {
      const OpenNode& node = open_[choice.open];
      if (idle(node) == 0) continue;
      const std::int32_t now = option_of(choice.job, node.type, choice.gpus);
      const std::int32_t more = option_of(choice.job, node.type, choice.gpus + idle(node));
      if (now == kNone || more == kNone) continue;
      const double gain = model_.option(choice.job, now).time - model_.option(choice.job, more).time;
      if (gain <= most) continue;
      most = gain;
      winner = &choice;
    }
    if (winner == nullptr) return;
    OpenNode& node = open_[winner->open];
    winner->gpus += idle(node);
    node.used = machine(node.type).gpus;
  }

  [[nodiscard]] std::int32_t option_of(std::int32_t job, std::int32_t type, std::int32_t gpus) const {
    const std::vector<OptionCost>& options = model_.options(job);
    for (std::size_t o = 0; o < options.size(); ++o) {
      if (options[o].type == type && options[o].gpus == gpus) return static_cast<std::int32_t>(o);
    }
    return kNone;
  }

  const Snapshot& snapshot_;
  CostModel model_;
  Layout layout_;
  std::vector<OpenNode> open_;
  std::vector<Choice> choices_;
  std::int32_t next_ = 0;  // node that may be opened
};

class AndreasGreedyMethod final : public Method {
 public:
  Decision decide(const Snapshot& snapshot) override { return AndreasGreedy(snapshot).decide(); }
};

}  // namespace

std::vector<MethodInfo> plugin() {
  return {{{.id = "andreas-greedy",
            .summary = "by pressure, on the largest machines, which then shrink",
            .reference = "Filippini et al., Path Relinking, TSC 2023; the rules of its simulator"},
           {},
           [](const MethodSetup&) -> std::unique_ptr<Method> {
             return std::make_unique<AndreasGreedyMethod>();
           }}};
}

}  // namespace sextant::capacity::planning_method_andreas_greedy
