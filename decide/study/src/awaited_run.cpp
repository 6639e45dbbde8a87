#include "awaited_run.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <thread>

#include "metric_sources.h"
#include "sextant/core/text.h"
#include "sextant/measure/clock.h"

namespace sextant::study {
namespace {

constexpr std::streamoff kReadAtMost = 16 << 20;
constexpr const char* kSeconds = "seconds";

// Precise to a hundredth of what has passed, and idle meanwhile.
std::chrono::duration<double> pause_after(double elapsed_s) {
  return std::chrono::duration<double>(std::clamp(elapsed_s / 100, 0.001, 0.05));
}

std::string with_end_of(const std::filesystem::path& log, const std::string& message) {
  const std::string end = output_end(end_of_file(log));
  return end.empty() ? message : message + ": " + end;
}

explore::TrialOutcome ended(const std::string& ending, double elapsed, const std::filesystem::path& log) {
  explore::TrialOutcome result{.state = explore::TrialState::completed, .metrics = {{kSeconds, elapsed}}};
  if (ending.empty()) return result;
  result.state = explore::TrialState::failed;
  result.message = with_end_of(log, ending);
  return result;
}

explore::TrialOutcome stopped(const StudySpec& study, double elapsed, const std::filesystem::path& log) {
  explore::TrialOutcome result{.state = explore::TrialState::timed_out, .metrics = {{kSeconds, elapsed}}};
  result.message = with_end_of(log, "stopped after " + number_text(*study.timeout_s) + " s");
  const explore::Objective& first = study.problem.objectives.front();
  if (first.metric == kSeconds && !first.maximise) result.bound = elapsed;
  return result;
}

}  // namespace

explore::TrialOutcome await_run(measure::LaunchedCommand& command, const EvaluatorSetup& setup) {
  const double limit = setup.study.timeout_s.value_or(std::numeric_limits<double>::infinity());
  std::optional<std::int64_t> began;
  while (true) {
    const std::optional<std::string> ending = command.poll();
    if (!began && (ending || command.started())) began = measure::monotonic_ns();
    const double elapsed = began ? measure::seconds_since(*began) : 0;
    if (ending) return ended(*ending, elapsed, command.log());
    if (setup.interrupted && setup.interrupted()) {
      command.kill();
      throw EvaluationInterrupted{};
    }
    if (elapsed > limit) {
      command.kill();
      return stopped(setup.study, elapsed, command.log());
    }
    std::this_thread::sleep_for(pause_after(elapsed));
  }
}

std::string end_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) return {};
  const std::streamoff size = file.tellg();
  file.seekg(std::max<std::streamoff>(0, size - kReadAtMost));
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace sextant::study
