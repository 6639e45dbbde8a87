// Everything that can be known before a process starts, cheapest first.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "machine_state.h"
#include "sextant/core/error.h"
#include "sextant/core/plugin_text.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/input/sample_set.h"
#include "sextant/measure/child_process.h"
#include "sextant/measure/drawn_network.h"
#include "sextant/measure/file_descriptor.h"
#include "sextant/measure/runner_choice.h"
#include "sextant/measure/supervisor.h"
#include "sextant/measure/transport.h"
#include "sextant/measure/worker_program.h"
#include "trial_layout.h"
#include "trial_memory.h"

namespace sextant::measure {
namespace {

constexpr std::int64_t kMostThreads = 1024;
constexpr std::int64_t kLeastProcessLimit = 64;
constexpr std::int64_t kProcessesPerCore = 8;

void require(bool holds, const char* field, const std::string& what, const std::string& hint = {}) {
  if (!holds) throw InputError(at_field(field), what, hint);
}

bool positive(double value) {
  return std::isfinite(value) && value > 0;
}

void check_job(const jobs::Job& job) {
  require(job.mode == jobs::Mode::train, "mode", "only training is measured");
  require(job.precision == Precision::fp32, "precision", "only training in fp32 is measured");
  require(job.layout == jobs::Layout{}, "count", "the job must be that of one worker",
          "`workers` says how many there are");
  require(job.optimizer != jobs::Optimizer::none, "optimizer", "training needs an optimizer",
          "take sgd, momentum or adam");
  require(job.optimizer != jobs::Optimizer::adamw && job.optimizer != jobs::Optimizer::adam_8bit, "optimizer",
          to_string(job.optimizer) + " is predicted, not measured", "take sgd, momentum or adam");
}

void check_numbers(const Trial& trial) {
  require(std::isfinite(trial.learning_rate) && trial.learning_rate >= 0, "learning_rate",
          "the learning rate is negative or no number");
  require(trial.momentum >= 0 && trial.momentum < 1, "momentum", "the momentum is not between 0 and 1");
  require(trial.workers >= 1, "workers", "training needs at least one worker");
  require(trial.servers >= 0, "servers", "the number of servers is negative");
  require(positive(trial.bucket_mb), "bucket_mb", "the size of a bucket is not above 0");
  require(trial.threads >= 1 && trial.threads <= kMostThreads, "threads",
          "the number of threads is not between 1 and 1024");
  require(trial.prefetch >= 0, "prefetch", "the number of batches read ahead is negative");
  require(trial.warmup >= 0, "warmup", "the number of iterations is negative");
  require(trial.epochs ? positive(*trial.epochs) : trial.iterations >= 1,
          trial.epochs ? "epochs" : "iterations", "nothing would be trained");
  require(positive(trial.timeout_s), "timeout", "the time is not above 0");
  require(trial.checkpoint_every >= 0, "checkpoint_every", "the number of iterations is negative");
}

void check_layout(const Trial& trial) {
  const TrainingStrategyInfo& strategy = strategy_of(trial);
  const Parameters parameters =
      parameters_of(strategy, split_plugin_text(trial.strategy), at_field("strategy"));
  if (strategy.check != nullptr) strategy.check(trial, parameters);
  const TransportInfo& transport = transports().get(trial.transport, at_field("transport"));
  require(!strategy.distributed || transport.id != "none", "transport",
          "the processes of strategy " + strategy.id + " have to exchange data",
          "take gloo-tcp, mpi-shm or mpi-tcp");
  require(strategy.servers || trial.servers == 0, "servers", "strategy " + strategy.id + " has no servers",
          "ps-sync, ps-ssp and ps-async have some");
  require(!strategy.servers || trial.servers >= 1, "servers",
          "strategy " + strategy.id + " needs at least one server");
  require(strategy.id != "single" || trial.workers == 1, "workers", "strategy single has one worker",
          "take mirrored, all-reduce or a parameter server for several");
}

void check_runner(const Trial& trial, const SuperviseOptions& options) {
  const RunnerInfo& runner = chosen_runner(trial, options);
  for (const std::string& problem : runner.problems(trial)) throw InputError(at_field("runner"), problem);
  if (runner.id == "slurm") return;  // its nodes are not this machine
  require(
      options.wrapper.empty() || find_program(options.wrapper[0]), "wrapper",
      "the program '" + (options.wrapper.empty() ? std::string() : options.wrapper[0]) + "' is not on PATH",
      "give a command that starts another, as in: nice -n 5");
  const std::int64_t most = std::max(kLeastProcessLimit, kProcessesPerCore * core_count());
  require(rank_count(trial) <= most, "workers",
          std::to_string(rank_count(trial)) + " processes are too many for " + std::to_string(core_count()) +
              " cores",
          "this machine takes at most " + std::to_string(most) + "; `runner` slurm has more machines");
  require(strategy_of(trial).distributed || trial.workers <= most, "workers",
          "one process cannot hold so many replicas");
}

// What the network reads: b x c x h x w for images; tokens, clips and vectors are drawn.
void check_data(const Trial& trial, const nets::Network& network, const nets::Graph& graph) {
  const auto input = std::ranges::find_if(
      graph.nodes, [](const nets::Node& node) { return std::holds_alternative<nets::Input>(node.op); });
  const bool images =
      network.input == nets::InputKind::image && input != graph.nodes.end() && input->output.size() == 4;
  if (!images) {
    require(!trial.epochs, "epochs",
            "network '" + trial.job.net + "' reads random input, which has no epochs");
    require(network.input != nets::InputKind::image || trial.data == "synthetic", "data",
            "network '" + trial.job.net + "' does not read images of channels x height x width",
            "leave `data` out: the input is then random");
    return;
  }
  const nets::Shape& shape = input->output;
  const auto set = input::open_sample_set({.name = trial.data,
                                           .split = input::Split::train,
                                           .shape = {shape[1], shape[2], shape[3]},
                                           .classes = bind(network, trial.job.sizes).classes,
                                           .seed = trial.seed},
                                          at_field("data"));
  const std::int64_t batch = trial.job.sizes.batch * trial.workers;
  require(set->size() >= batch, "data",
          "'" + trial.data + "' has " + std::to_string(set->size()) +
              " samples, and one step of all workers takes " + std::to_string(batch));
}

void check_memory(const TrialMemory& need, const Trial& trial) {
  const MemoryRoom room = memory_room();
  if (need.total_bytes <= room.bytes()) return;
  const bool cgroup = room.cgroup && *room.cgroup < room.available;
  throw InputError(at_field("batch"),
                   "the " + std::to_string(rank_count(trial)) + " processes need about " +
                       human(Bytes{need.total_bytes}) + " of memory, and " + human(Bytes{room.bytes()}) +
                       (cgroup ? " are left in this control group" : " are available"),
                   "take a smaller batch or fewer workers, or `runner` slurm");
}

void check_scratch(const TrialMemory& need, const Trial& trial, const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder) || ::access(folder.c_str(), W_OK) != 0) {
    throw SystemError(folder.string() + ": this is not a folder that can be written");
  }
  if (trial.checkpoint_every == 0) return;
  std::error_code error;
  const auto left = static_cast<double>(std::filesystem::space(folder, error).available);
  const double wanted = 2 * need.checkpoint_bytes;  // the last one stays until the next is complete
  if (error || left >= wanted) return;
  throw SystemError(folder.string() + ": checkpoints need " + human(Bytes{wanted}) + ", and " +
                    human(Bytes{left}) + " are free");
}

void check_loopback() {
  const FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool bound =
      socket.open() && ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  if (!bound)
    throw SystemError(std::string("the loopback interface has no free port: ") + std::strerror(errno));
}

}  // namespace

void check_trial(const Trial& trial, const SuperviseOptions& options) {
  check_job(trial.job);
  check_numbers(trial);
  check_layout(trial);
  check_runner(trial, options);
  const nets::Network network = trial_network(trial.job.net);
  const nets::Graph graph = build(network, trial.job.sizes);
  const std::vector<std::string> unknown = unknown_operators(graph);
  require(unknown.empty(), "net",
          "'" + trial.job.net + "' has operators that cannot be run: " + join(unknown, ", "));
  check_data(trial, network, graph);
  const RunnerInfo& runner = chosen_runner(trial, options);
  const TrialMemory memory = trial_memory(trial, graph);
  check_scratch(memory, trial, chosen_scratch(runner, options));
  if (runner.id != "slurm") {
    check_memory(memory, trial);
    if (has_processes_that_talk(trial)) check_loopback();
  }
  worker_program(options);  // last: what was asked is judged where nothing can be run, too
}

}  // namespace sextant::measure
