#include "slurm_cluster.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "sextant/core/csv.h"
#include "sextant/core/text.h"
#include "sextant/measure/file_descriptor.h"
#include "sextant/measure/process_state.h"

namespace sextant::test {
namespace {

// A daemon is where root's PATH has it, which a test need not have.
std::string daemon(const std::string& name) {
  const auto found = measure::find_program("/usr/sbin/" + name);
  return found ? found->string() : "";
}

std::string host_name() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return split(name.data(), '.').at(0);
}

}  // namespace

// Below those that the kernel gives to connections, which would take the port of a node while it is switched
// off; each process begins elsewhere, so that clusters of several tests can stand side by side.
std::string free_port() {
  constexpr int kFirst = 10000;
  constexpr int kPorts = 20000;
  constexpr int kEach = 16;  // for a process
  static int next = ::getpid() * kEach;
  for (int tried = 0; tried < kPorts; ++tried, ++next) {
    const int port = kFirst + next % kPorts;
    const measure::FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_ANY);
    if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) continue;
    ++next;
    return std::to_string(port);
  }
  return "0";
}

std::string SlurmCluster::obstacle() {
  if (::geteuid() != 0) return "only root can start Slurm's daemons";
  for (const char* name : {"munged", "slurmctld", "slurmd"}) {
    if (daemon(name).empty()) return std::string(name) + " is not installed";
  }
  return measure::find_program("sbatch") ? "" : "sbatch is not installed";
}

std::string SlurmCluster::configuration() const {
  const std::string path = folder_.path().string();
  const std::string host = host_name();
  std::string text = "ClusterName=sextant-test\nSlurmctldHost=" + host +
                     "(127.0.0.1)\n"
                     "SlurmctldPort=" +
                     free_port() +
                     "\nSlurmUser=root\nSlurmdUser=root\nAuthType=auth/munge\nAuthInfo=socket=" + path +
                     "/munge.socket\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
                     "AccountingStorageType=accounting_storage/none\nJobAcctGatherType=jobacct_gather/none\n"
                     "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nReturnToService=2\n"
                     "MpiDefault=none\nSchedulerParameters=batch_sched_delay=0,sched_interval=1\n"
                     "StateSaveLocation=" +
                     path + "/state\nSlurmdSpoolDir=" + path + "/spool.%n\nSlurmctldPidFile=" + path +
                     "/slurmctld.pid\nSlurmdPidFile=" + path + "/slurmd.%n.pid\n";
  for (const char* node : {"n0", "n1"}) {
    text += std::string("NodeName=") + node + " NodeHostname=" + host +
            " NodeAddr=127.0.0.1 Port=" + free_port() + " CPUs=2\n";
  }
  return text + power_settings() + "PartitionName=p Nodes=ALL Default=YES State=UP\n";
}

std::string SlurmCluster::power_settings() const {
  if (power_ == Power::always_on) return "";
  const std::string path = folder_.path().string();
  return "SuspendProgram=" + path + "/off.sh\nResumeProgram=" + path +
         "/on.sh\nSuspendTime="
         "86400\nSuspendTimeout=2\nResumeTimeout=30\nSuspendRate=0\nResumeRate=0\n";
}

// A node that is switched on has to say that it has booted since (-b).
void SlurmCluster::write_power_programs() const {
  const std::string path = folder_.path().string();
  const std::string head = "#!/bin/sh\nexport SLURM_CONF=" + path +
                           "/slurm.conf\nfor node in $(scontrol show hostnames \"$1\"); do\n" +
                           "  pid=$(cat " + path + "/slurmd.$node.pid 2>/dev/null) && kill \"$pid\"\n";
  std::ofstream(path + "/off.sh") << head << "  echo \"off $node\" >> " << path << "/switches\ndone\n";
  std::ofstream(path + "/on.sh") << head << "  echo \"on $node\" >> " << path << "/switches\n  "
                                 << daemon("slurmd") << " -b -N \"$node\" -f " << path
                                 << "/slurm.conf\ndone\n";
  for (const char* name : {"/off.sh", "/on.sh"})
    std::filesystem::permissions(path + name, std::filesystem::perms(0755));
}

void SlurmCluster::start(const std::vector<std::string>& command) {
  daemons_.emplace_back(measure::ChildSpec{.command = command,
                                           .environment = {{"SEXTANT_TEST_MARK", "cluster"}},
                                           .log = folder_.path() / "daemons.log"});
}

SlurmCluster::SlurmCluster(Power power) : power_(power) {
  const std::string path = folder_.path().string();
  const std::string settings = path + "/slurm.conf";
  std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
  std::filesystem::create_directory(path + "/state");
  std::ofstream(path + "/munge.key") << std::string(1024, 'k');
  std::filesystem::permissions(path + "/munge.key", std::filesystem::perms(0600));
  std::ofstream(settings) << configuration();
  if (power == Power::saved) write_power_programs();
  ::setenv("SLURM_CONF", settings.c_str(), 1);
  start({daemon("munged"), "--force", "--foreground", "--socket=" + path + "/munge.socket",
         "--key-file=" + path + "/munge.key", "--pid-file=" + path + "/munged.pid",
         "--seed-file=" + path + "/munged.seed", "--log-file=" + path + "/munged.log"});
  for (int wait = 0; wait < 100 && !std::filesystem::exists(path + "/munge.socket"); ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  start({daemon("slurmctld"), "-D", "-f", settings});
  for (const char* node : {"n0", "n1"}) start({daemon("slurmd"), "-D", "-N", node, "-f", settings});
  for (int wait = 0; wait < 300 && !ready_; ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    ready_ = trim(measure::run_command({"sinfo", "--noheader", "--format=%T %D"}).output) == "idle 2";
  }
}

// Steps that are still being cleared away would wait for the controller for ever.
SlurmCluster::~SlurmCluster() {
  for (int wait = 0; wait < 100 && !trim(measure::run_command({"squeue", "--noheader"}).output).empty();
       ++wait) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  ::unsetenv("SLURM_CONF");
  std::vector<std::int64_t> steps;
  for (const measure::ChildProcess& process : daemons_) {
    for (const std::int64_t step : measure::descendants(process.pid())) steps.push_back(step);
  }
  for (const std::int64_t step : steps) ::kill(static_cast<pid_t>(step), SIGKILL);
  if (power_ == Power::saved) end_nodes();
  while (!daemons_.empty()) daemons_.pop_back();  // nodes first, munged last
}

// Those that Slurm switched on are nobody's children.
void SlurmCluster::end_nodes() const {
  for (const char* node : {"n0", "n1"}) {
    pid_t pid = 0;
    std::ifstream file(folder_.path() / (std::string("slurmd.") + node + ".pid"));
    if (file >> pid && pid > 1) ::kill(pid, SIGKILL);
  }
}

std::string SlurmCluster::switches() const {
  const auto path = folder_.path() / "switches";
  return std::filesystem::exists(path) ? read_text_file(path.string()) : "";
}

std::string SlurmCluster::logs() const {
  return read_text_file((folder_.path() / "daemons.log").string());
}

}  // namespace sextant::test
