// Runner mpi: mpirun starts the ranks on this machine. When one is lost, mpirun ends the others.
#include <csignal>

#include "loopback_only.h"
#include "mpirun_child.h"
#include "rank_environment.h"
#include "rank_shell.h"
#include "sextant/core/error.h"
#include "sextant/measure/child_process.h"
#include "sextant/measure/runner.h"

namespace sextant::measure::runner_mpi {
namespace {

ChildSpec mpirun_spec(const RunRequest& request) {
  std::vector<std::string> words = mpirun_words(request, MpirunPlace::this_machine);
  const auto program = find_program(words[0]);
  if (!program) throw SystemError("mpirun is not installed");
  words[0] = program->string();
  for (std::string& word : rank_command(request, "OMPI_COMM_WORLD_RANK")) words.push_back(std::move(word));
  auto environment = rank_environment(request.trial);
  environment.push_back(loopback_variable());
  return {.command = std::move(words),
          .environment = std::move(environment),
          .log = request.folder.path() / "log.mpirun",
          .signal_of_death = SIGTERM};  // lets it end the ranks, which are not ours
}

class MpiProcesses final : public Processes {
 public:
  explicit MpiProcesses(const RunRequest& request)
      : log_(request.folder.path() / "log.mpirun"),
        exits_(request.folder, rank_count(request.trial)),
        mpirun_(mpirun_spec(request)) {}
  ~MpiProcesses() override { end(); }

  std::vector<Ended> poll() override {
    const auto ending = mpirun_.poll();  // before the files, so that the last of them is not missed
    std::vector<Ended> ended = exits_.poll();
    if (ending && !ending->empty() && !exits_.any_failed()) {
      ended.push_back({-1, "mpirun: " + *ending + ": " + launcher_words(log_)});
    }
    return ended;
  }
  [[nodiscard]] bool running() const override { return mpirun_.running(); }
  void kill() override { end(); }

 private:
  void end() {
    // It ends the others by itself when one failed; told to end meanwhile, it may leave shared memory behind.
    if (exits_.any_failed()) mpirun_.wait();
    mpirun_.end();
  }

  std::filesystem::path log_;
  ExitFiles exits_;
  MpirunChild mpirun_;
};

std::vector<std::string> mpi_problems(const Trial&) {
  if (find_program("mpirun")) return {};
  return {"MPI is not installed: there is no mpirun on PATH (Debian: openmpi-bin)"};
}

}  // namespace

std::vector<RunnerInfo> plugin() {
  return {{{.id = "mpi",
            .summary = "processes of this machine, started by mpirun",
            .reference = "Open MPI 4.1, mpirun(1)"},
           {"mpirun"},
           mpi_problems,
           [](const RunRequest& request) -> std::unique_ptr<Processes> {
             return std::make_unique<MpiProcesses>(request);
           }}};
}

}  // namespace sextant::measure::runner_mpi
