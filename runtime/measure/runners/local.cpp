// Runner local: the ranks are children of the driver.
#include "rank_environment.h"
#include "rank_wrapper.h"
#include "sextant/measure/child_process.h"
#include "sextant/measure/runner.h"
#include "sextant/measure/transport.h"
#include "trial_layout.h"

namespace sextant::measure::runner_local {
namespace {

class LocalProcesses final : public Processes {
 public:
  explicit LocalProcesses(const RunRequest& request) {
    for (std::int64_t rank = 0; rank < rank_count(request.trial); ++rank) {
      ChildSpec spec{.command = wrapped_command(request, rank),
                     .environment = rank_environment(request.trial),
                     .log = request.folder.log_file(rank)};
      spec.environment.emplace_back("SEXTANT_RANK", std::to_string(rank));
      ranks_.emplace_back(spec);
    }
  }

  std::vector<Ended> poll() override {
    std::vector<Ended> ended;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      if (const auto how = ranks_[rank].poll()) ended.push_back({static_cast<std::int64_t>(rank), *how});
    }
    return ended;
  }
  [[nodiscard]] bool running() const override { return std::ranges::any_of(ranks_, &ChildProcess::running); }
  void kill() override {
    for (ChildProcess& rank : ranks_) rank.kill();
  }

 private:
  std::vector<ChildProcess> ranks_;
};

std::vector<std::string> local_problems(const Trial& trial) {
  const TransportInfo* transport = transports().find(trial.transport);
  if (transport == nullptr || !transport->mpi || !has_processes_that_talk(trial)) return {};
  return {"ranks that talk over " + transport->id + " must be started by mpirun: use `runner` mpi"};
}

}  // namespace

std::vector<RunnerInfo> plugin() {
  return {
      {{.id = "local",
        .summary = "processes of this machine, started by the driver itself",
        .reference = "fork and exec; a group for each process; ended with the driver by PR_SET_PDEATHSIG"},
       {},
       local_problems,
       [](const RunRequest& request) -> std::unique_ptr<Processes> {
         return std::make_unique<LocalProcesses>(request);
       }}};
}

}  // namespace sextant::measure::runner_local
