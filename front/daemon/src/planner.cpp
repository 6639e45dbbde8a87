#include "planner.h"

#include <algorithm>
#include <chrono>

#include "changes.h"
#include "sextant/core/error.h"

namespace sextant::daemon {
namespace {

constexpr Seconds kAfterFault{5};     // before a method or a disk that failed is tried again
constexpr Seconds kLeastPause{0.02};  // between two decisions: arrivals of that time are decided together

bool changes_anything(const Books& books, const NamedDecision& decision, Seconds now) {
  const bool admits = std::ranges::any_of(decision.admitted, [&](const std::string& id) {
    const DaemonJob* job = books.find(id);
    return job != nullptr && !job->promised;
  });
  return admits || !decision.refused.empty() || !steps_of(books, decision, now).empty();
}

bool nothing_to_decide(const Books& books) {
  return !books.steps.empty() || books.nodes.empty();
}

}  // namespace

Planner::Planner(const PlannerSetup& setup)
    : setup_(setup), method_(setup.method.method->make({setup.method.parameters, setup.seed})) {
  thread_ = std::thread([this] { work(); });
}

Planner::~Planner() {
  ending_ = true;
  setup_.ledger.wake_all();
  thread_.join();
}

LastDecision Planner::last() const {
  const std::lock_guard lock(last_mutex_);
  return last_;
}

void Planner::work() {
  while (!ending_) {
    const std::uint64_t seen = setup_.ledger.version();
    Seconds patience = setup_.wishes.period;
    try {
      patience = decide();
    } catch (const std::exception& error) {
      setup_.say(std::string("no decision: ") + error.what());
      patience = kAfterFault;
      for (int i = 0; i < 50 && !ending_; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    // A wait of no length would spin; one of a day would overlook the end.
    while (!ending_ && setup_.ledger.version() == seen && patience > Seconds{0}) {
      const Seconds part = std::min(patience, Seconds{0.5});
      setup_.ledger.wait_beyond(seen, part);
      patience = patience - part;
    }
    std::this_thread::sleep_for(std::chrono::duration<double>(kLeastPause.value));
  }
}

Seconds Planner::decide() {
  const Seconds now = setup_.ledger.now();
  const Seconds pause = setup_.ledger.read([](const Books& books) { return books.pause_until; }) - now;
  if (pause > Seconds{0}) return pause;
  const auto view = setup_.ledger.read([&](const Books& books) -> std::optional<View> {
    if (nothing_to_decide(books)) return {};
    return view_of(books, setup_.wishes, now);
  });
  if (!view) return setup_.wishes.period;
  const auto begun = std::chrono::steady_clock::now();
  const capacity::Decision decision = method_->decide(view->snapshot);
  const Seconds solve{std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count()};
  if (const std::string fault = capacity::fault_of(view->snapshot, decision); !fault.empty())
    throw std::logic_error(setup_.method.text + " decided what cannot be done: " + fault);
  const Dollars cost = capacity::cost_of(view->snapshot, decision).total();
  const NamedDecision names = named(*view, decision);
  {
    const std::lock_guard lock(last_mutex_);
    last_ = {.solve = solve, .cost = cost};
  }
  setup_.metrics.add("sextant_plan_decisions_total");
  setup_.metrics.observe("sextant_plan_decision_seconds", solve.value);
  const bool acts =
      setup_.ledger.read([&](const Books& books) { return changes_anything(books, names, now); });
  if (acts) {
    std::string adopted;
    setup_.ledger.change([&](Page& page) {
      if (nothing_to_decide(page.books)) return;
      const View fresh = view_of(page.books, setup_.wishes, page.now);
      const auto still = decision_for(fresh, names);
      if (!still || !capacity::fault_of(fresh.snapshot, *still).empty())
        return;  // outrun: the change wakes us again
      NamedDecision kept = named(fresh, *still);
      kept.admitted = names.admitted;  // who came meanwhile was not looked at
      const std::size_t steps =
          adopt(page, kept, {.method = setup_.method.text, .solve = solve, .cost = cost});
      if (steps > 0)
        adopted =
            "decision " + std::to_string(page.books.decisions) + ": " + std::to_string(steps) + " steps";
    });
    if (!adopted.empty()) setup_.say(adopted);
  }
  const Seconds wake = decision.wake - now;
  return std::clamp(wake, kLeastPause, setup_.wishes.period);
}

}  // namespace sextant::daemon
