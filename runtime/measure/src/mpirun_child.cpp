#include "mpirun_child.h"

#include <chrono>
#include <csignal>
#include <thread>

#include "sextant/measure/process_state.h"

namespace sextant::measure {
namespace {

using std::chrono::steady_clock;

// mpirun gives ranks a second to end by themselves before it kills them, and then clears away its files.
constexpr auto kOrderlyEnd = std::chrono::seconds(5);
constexpr auto kBetweenLooks = std::chrono::milliseconds(5);

}  // namespace

void MpirunChild::wait() {
  const auto end = steady_clock::now() + kOrderlyEnd;
  while (child_.running() && steady_clock::now() < end) {
    child_.poll();
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

void MpirunChild::end() {
  if (!child_.running()) return;
  const std::vector<std::int64_t> ranks = descendants(child_.pid());
  child_.signal(SIGTERM);
  child_.signal(SIGCONT);  // in case somebody stopped it
  wait();
  if (!child_.running()) return;
  child_.kill();
  for (const std::int64_t rank : ranks) ::kill(static_cast<pid_t>(rank), SIGKILL);
}

}  // namespace sextant::measure
