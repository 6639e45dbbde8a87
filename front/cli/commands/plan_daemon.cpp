// sextant plan daemon: the planner of a real cluster as a service.
#include <chrono>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <ostream>
#include <thread>

#include "catalog_option.h"
#include "daemon_args.h"
#include "interrupt.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/daemon/daemon.h"

namespace sextant::cli::command_plan_daemon {
namespace {

// Lines come from several threads.
class Log {
 public:
  explicit Log(const Io& io) : io_(io) {}
  void say(const std::string& line) {
    const std::lock_guard lock(mutex_);
    tell(io_, "sextant: " + line);
    io_.err.flush();
  }

 private:
  const Io& io_;
  std::mutex mutex_;
};

int serve(const DaemonArgs& args, const Io& io, const Globals& globals) {
  if (args.openapi) {
    io.out << daemon::openapi_document().dump(1) << '\n';
    return kDone;
  }
  const RunInterrupt interrupt(io);
  const RunStop stop = interrupt.stop();
  Log log(io);
  daemon::DaemonOptions options = daemon_options(args);
  options.seed = static_cast<std::uint64_t>(globals.seed);
  const daemon::Daemon service(options, shared_catalog(io, globals),
                               [&log](const std::string& line) { log.say(line); });
  io.out << "listening at http://" << service.address().str() << ", state " << options.state << std::endl;
  while (!stop.asked()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  log.say("stopping");
  return kDone;
}

}  // namespace

std::vector<Command> plugin() {
  const auto args = std::make_shared<DaemonArgs>();
  return {
      {.path = "plan daemon",
       .wish = Wish::share,
       .summary = "plan a real cluster as a service: jobs in by HTTP, decisions carried out",
       .details =
           "Jobs, progress and nodes come in as JSON; at every change the daemon decides which nodes are on, "
           "as "
           "which machine, and who runs on how many GPUs. The state survives a kill at any moment: what was "
           "answered is kept, and what was decided is done once. GET /openapi.json describes the requests, "
           "docs/daemon.md the rest.",
       .examples = {"sextant plan daemon --state plan.db --machines machines.json",
                    "sextant plan daemon --state plan.db --cluster v100=16/4 --apply slurm",
                    "sextant plan daemon --state plan.db --listen 0.0.0.0:8350 --token-file token --apply "
                    "'./apply.sh'"},
       .options = daemon_args_options(*args),
       .run = [args](const Io& io, const Globals& globals) { return serve(*args, io, globals); }}};
}

}  // namespace sextant::cli::command_plan_daemon
