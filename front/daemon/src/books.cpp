#include "books.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sextant/core/error.h"

namespace sextant::daemon {
namespace {

constexpr std::array<std::pair<Phase, const char*>, 8> kPhases{{{Phase::waiting, "waiting"},
                                                                {Phase::starting, "starting"},
                                                                {Phase::running, "running"},
                                                                {Phase::stopping, "stopping"},
                                                                {Phase::finished, "finished"},
                                                                {Phase::failed, "failed"},
                                                                {Phase::cancelled, "cancelled"},
                                                                {Phase::refused, "refused"}}};
constexpr std::array<std::pair<StepKind, const char*>, 4> kSteps{{{StepKind::stop, "stop"},
                                                                  {StepKind::node_off, "node_off"},
                                                                  {StepKind::node_on, "node_on"},
                                                                  {StepKind::start, "start"}}};

// A job that should be over and is not has this much of its time before it: it may end at any moment.
constexpr double kMostUnreported = 0.98;

template <class Words>
std::string word_of(const Words& words, decltype(words[0].first) value) {
  for (const auto& [known, text] : words) {
    if (known == value) return text;
  }
  return {};
}

template <class Words>
auto value_of(const Words& words, const std::string& word) {
  for (const auto& [known, text] : words) {
    if (word == text) return known;
  }
  throw InputError("'" + word + "' is not known");
}

}  // namespace

std::string phase_text(Phase phase) {
  return word_of(kPhases, phase);
}
Phase phase_of(const std::string& text) {
  return value_of(kPhases, text);
}
std::vector<std::string> phase_texts() {
  std::vector<std::string> texts;
  for (const auto& [phase, text] : kPhases) texts.emplace_back(text);
  return texts;
}
std::string step_text(StepKind kind) {
  return word_of(kSteps, kind);
}
StepKind step_kind_of(const std::string& text) {
  return value_of(kSteps, text);
}

bool is_over(Phase phase) {
  return phase == Phase::finished || phase == Phase::failed || phase == Phase::cancelled ||
         phase == Phase::refused;
}
bool holds_gpus(Phase phase) {
  return phase == Phase::starting || phase == Phase::running || phase == Phase::stopping;
}

DaemonJob* Books::find(const std::string& id) {
  const auto found = by_id.find(id);
  return found == by_id.end() ? nullptr : &jobs[found->second];
}
const DaemonJob* Books::find(const std::string& id) const {
  const auto found = by_id.find(id);
  return found == by_id.end() ? nullptr : &jobs[found->second];
}
DaemonNode* Books::find_node(const std::string& node) {
  const auto found = std::ranges::find(nodes, node, &DaemonNode::name);
  return found == nodes.end() ? nullptr : &*found;
}

DaemonJob& Books::add(DaemonJob job) {
  const std::size_t place = jobs.size();
  job.seq = static_cast<std::int64_t>(place) + 1;
  by_id.emplace(job.order.id, place);
  if (!is_over(job.phase)) live.insert(place);
  jobs.push_back(std::move(job));
  return jobs.back();
}

Dollars Books::spent_until(Seconds now) const {
  Dollars sum = spent;
  for (const DaemonNode& node : nodes) {
    const auto machine = machines.find(node.machine);
    if (machine != machines.end()) sum += node_cost(node, machine->second, now);
  }
  return sum;
}

std::optional<Seconds> whole_time(const DaemonJob& job) {
  if (!job.stretch) return {};
  for (const MachineTime& time : job.order.times) {
    if (time.machine == job.stretch->machine && time.gpus == job.stretch->gpus)
      return job.slowness * time.time;
  }
  return {};
}

double done_by(const DaemonJob& job, Seconds now) {
  const auto time = whole_time(job);
  if (job.phase != Phase::running || !time || *time <= Seconds{0}) return job.done;
  const Seconds from = std::max(job.done_at, job.stretch->since);
  const double gained = std::max(0.0, (now - from) / *time);
  return std::max(job.done, std::min(kMostUnreported, job.done + gained));
}

Dollars node_cost(const DaemonNode& node, const capacity::MachineType& machine, Seconds until) {
  if (node.machine.empty()) return {};
  const Seconds paid = std::max(until, node.paid_until) - node.on_since;
  return machine.hour_price * std::max(0.0, paid / kHour);  // clocks are set back
}

}  // namespace sextant::daemon
