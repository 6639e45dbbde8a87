// What a plan says that a stream of jobs will cost, against what is really paid for it:
// `plan_prototype PROGRAM FOLDER [METHOD [JOBS [SEED]]]`. Jobs are short trainings (`sextant measure`) on a
// Slurm of two nodes on this machine, prices are made up, and `sextant plan daemon --apply slurm:cpus`
// decides. Twice predicted: the whole stream beforehand by `sextant plan simulate` with the same times, and
// each slot by the plan that the daemon has when it begins. After the prototype of the seed study (Ardagna et
// al., slides): eleven slots, 16.02 USD predicted, 16.71 paid.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "daemon_process.h"
#include "http_client.h"
#include "sextant/measure/child_process.h"
#include "slots.h"
#include "slurm_cluster.h"
#include "stream.h"

namespace {

using namespace sextant;
using namespace sextant::test;
using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr double kLookS = 0.05;  // between two looks at the plan
constexpr double kMostS = 540;   // of the whole stream
constexpr double kLoad = 1.3;    // of two cores: one-core seconds of work that come in a second

double unix_now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

void pause(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

std::string machines_text() {
  return Json{{"machines",
               {{{"name", "small"}, {"gpus", 1}, {"usd_per_hour", kSmallUsdHour}},
                {{"name", "large"}, {"gpus", 2}, {"usd_per_hour", kLargeUsdHour}}}},
              {"nodes", {{{"name", "n0"}}, {{"name", "n1"}}}}}
      .dump();
}

std::string url_of(const DaemonProcess& daemon) {
  return "http://127.0.0.1:" + std::to_string(daemon.port());
}

constexpr int kEmptyJobs = 4;

// Seconds from the start of a job without parts to the moment when its end is known; the mean of a few.
double start_seconds(const DaemonProcess& daemon, const fs::path& script) {
  HttpClient client(daemon.port());
  double sum = 0;
  for (int i = 0; i < kEmptyJobs; ++i) {
    const std::string id = "empty-" + std::to_string(i);
    const Json order = {{"id", id},
                        {"due_in_s", 1},
                        {"usd_per_late_hour", 1000},
                        {"times", {{{"machine", "small"}, {"gpus", 1}, {"seconds", 1}}}},
                        {"command", {"/bin/sh", script.string(), "no program", url_of(daemon), "0"}},
                        {"folder", script.parent_path().string()}};
    client.call({.verb = "POST", .path = "/v1/jobs", .body = order.dump()});
    for (int wait = 0; wait < 600; ++wait) {
      const Json job = Json::parse(client.call({.path = "/v1/jobs/" + id}).body);
      if (job.contains("ended_unix_s")) {
        sum += job.at("ended_unix_s").get<double>() - job.at("started_unix_s").get<double>();
        break;
      }
      pause(0.05);
    }
  }
  return sum / kEmptyJobs;
}

struct Experiment {
  std::string program;
  fs::path folder;
  std::string method;
  fs::path script = {};  // of all jobs
  StreamSetup setup = {};
  std::vector<TrainingKind> kinds = {};
  std::vector<StreamJob> jobs = {};
};

struct Predicted {
  double machines_usd = 0;
  double tardiness_usd = 0;
  int late = 0;
};

Predicted simulated(const Experiment& e) {
  const std::string at = e.folder.string();
  const std::string line = e.program + " plan simulate --jobs " + at + "/jobs.csv --times " + at +
                           "/times.csv --machines " + at + "/machines.csv --method " + e.method +
                           " --budget " + std::to_string(kBudgetUsdHour) + " --restart " +
                           std::to_string(e.setup.restart_s) + "s --json 2> " + at + "/simulate.log";
  const Json run = Json::parse(measure::run_command({"/bin/sh", "-c", line}, 120).output).at("runs").at(0);
  return {run.at("vm_usd").get<double>(), run.at("tardiness_usd").get<double>(), run.at("late").get<int>()};
}

std::string order_text(const Experiment& e, const StreamJob& job, const DaemonProcess& daemon) {
  const TrainingKind& kind = e.kinds[job.kind];
  Json times = Json::array();
  for (const auto& [machine, cores] :
       std::vector<std::pair<std::string, int>>{{"small", 1}, {"large", 1}, {"large", 2}})
    times.push_back({{"machine", machine}, {"gpus", cores}, {"seconds", job_seconds(kind, cores, e.setup)}});
  Json command = {"/bin/sh", e.script.string(), e.program, url_of(daemon), std::to_string(kind.parts)};
  std::istringstream words(kind.words);
  for (std::string word; words >> word;) command.push_back(word);
  return Json{{"id", job.id},
              {"due_in_s", job.due_s - job.submit_s},
              {"usd_per_late_hour", job.usd_per_late_hour},
              {"restart_s", e.setup.restart_s},
              {"times", times},
              {"command", command},
              {"folder", e.folder.string()}}
      .dump();
}

// Until all jobs are over and all nodes off.
bool run_stream(const Experiment& e, const DaemonProcess& daemon, SlotWatch& watch, double begin) {
  HttpClient client(daemon.port());
  std::size_t arrived = 0;
  for (double now = 0; now < kMostS; now = unix_now() - begin) {
    while (arrived < e.jobs.size() && e.jobs[arrived].submit_s <= now) {
      const HttpAnswer answer =
          client.call({.verb = "POST", .path = "/v1/jobs", .body = order_text(e, e.jobs[arrived], daemon)});
      if (answer.status != 201) {
        std::cerr << answer.status << " " << answer.body << "\n";
        return false;
      }
      ++arrived;
    }
    const auto next = arrived < e.jobs.size() ? std::optional(e.jobs[arrived].submit_s) : std::nullopt;
    const int ended = watch.look(client, static_cast<int>(arrived), next);
    if (ended == static_cast<int>(e.jobs.size()) && watch.idle()) {
      pause(1);
      watch.look(client, static_cast<int>(arrived), {});
      watch.end();
      return true;
    }
    pause(kLookS);
  }
  std::cerr << "the stream is not over after " << kMostS << " s\n";
  return false;
}

struct Paid {
  double machines_usd = 0;
  double tardiness_usd = 0;
  int late = 0;
  int starts = 0;
  int failed = 0;
};

Paid print_jobs(const Experiment& e, const DaemonProcess& daemon, double begin) {
  Paid paid;
  std::printf("\n%-8s %-11s %-9s %7s %9s %11s %7s %8s %7s\n", "job", "kind", "last on", "starts", "alone s",
              "there s", "end s", "due s", "late s");
  for (const StreamJob& job : e.jobs) {
    const Json answer = Json::parse(http_call(daemon.port(), {.path = "/v1/jobs/" + job.id}).body);
    const double end = answer.at("ended_unix_s").get<double>() - begin;
    const double late =
        std::max(0.0, answer.at("ended_unix_s").get<double>() - answer.at("due_unix_s").get<double>());
    const int cores = answer.value("gpus", 0);
    paid.tardiness_usd += late * job.usd_per_late_hour / 3600;
    paid.late += late > 0 ? 1 : 0;
    paid.starts += answer.at("starts").get<int>();
    paid.failed += answer.at("state") == "finished" ? 0 : 1;
    std::printf("%-8s %-11s %-7s%2d %7d %9.1f %11.1f %7.1f %8.1f %7.1f\n", job.id.c_str(),
                e.kinds[job.kind].name.c_str(), answer.value("machine", "?").c_str(), cores,
                answer.at("starts").get<int>(), job_seconds(e.kinds[job.kind], std::max(1, cores), e.setup),
                answer.at("ended_unix_s").get<double>() - answer.value("started_unix_s", begin), end,
                job.due_s, late);
  }
  return paid;
}

void print_slots(const std::vector<Slot>& slots) {
  std::printf("\n%4s %7s  %-18s %-22s %11s %7s %13s %9s %7s\n", "slot", "begin s", "nodes", "jobs x cores",
              "predicted s", "real s", "predicted USD", "paid USD", "error");
  double predicted = 0;
  double real = 0;
  double errors = 0;
  double off = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const Slot& slot = slots[i];
    const double error = slot.real_usd > 0 ? slot.predicted_usd / slot.real_usd - 1 : 0;
    predicted += slot.predicted_usd;
    real += slot.real_usd;
    errors += std::abs(error);
    off += std::abs(slot.predicted_usd - slot.real_usd);
    std::printf("%4zu %7.1f  %-18s %-22s %11.1f %7.1f %13.3f %9.3f %+6.1f%%\n", i + 1, slot.begin_s,
                slot.nodes.c_str(), slot.jobs.c_str(), slot.predicted_s, slot.real_s, slot.predicted_usd,
                slot.real_usd, 100 * error);
  }
  std::printf(
      "%zu slots: %.2f USD predicted, %.2f paid (%+.1f %%); mean error of a slot %.1f %%, %.1f %% by what is "
      "paid for it\n",
      slots.size(), predicted, real, 100 * (predicted / real - 1),
      100 * errors / static_cast<double>(slots.size()), 100 * off / real);
}

void print_totals(const Experiment& e, const Predicted& predicted, const Paid& paid) {
  const double said = predicted.machines_usd + predicted.tardiness_usd;
  const double sum = paid.machines_usd + paid.tardiness_usd;
  std::printf("\n%-20s %10s %10s\n", e.method.c_str(), "predicted", "paid");
  std::printf("%-20s %10.2f %10.2f\n", "machines, USD", predicted.machines_usd, paid.machines_usd);
  std::printf("%-20s %10.2f %10.2f\n", "lateness, USD", predicted.tardiness_usd, paid.tardiness_usd);
  std::printf("%-20s %10d %10d\n", "jobs that are late", predicted.late, paid.late);
  std::printf("%-20s %10.2f %10.2f\n", "all, USD", said, sum);
  std::printf(
      "The whole stream of %zu jobs: %.2f USD predicted beforehand, %.2f USD paid (%+.1f %%); %d starts, %d "
      "jobs "
      "failed.\n",
      e.jobs.size(), said, sum, 100 * (said / sum - 1), paid.starts, paid.failed);
}

// What a start and a restart take here, and the stream that follows from it.
void prepare_stream(Experiment& e, const DaemonProcess& daemon) {
  e.script = write_job_script(e.folder);
  e.setup.start_s = start_seconds(daemon, e.script);
  double part = 0;
  double job = 0;
  for (const TrainingKind& kind : e.kinds) {
    part += kind.one_core_s / static_cast<double>(e.kinds.size());
    job += job_seconds(kind, 1, e.setup) / static_cast<double>(e.kinds.size());
  }
  e.setup.restart_s = part / 2 + e.setup.start_s;  // half a part is lost on the mean
  e.setup.gap_s = job / kLoad;
  std::cerr << "a start takes " << e.setup.start_s << " s, a restart " << e.setup.restart_s << " s; a job of "
            << job << " s comes every " << e.setup.gap_s << " s\n";
  e.jobs = drawn_stream(e.kinds, e.setup);
  write_tables(e.folder, e.kinds, e.jobs, e.setup);
}

double spent_so_far(const DaemonProcess& daemon) {
  return Json::parse(http_call(daemon.port(), {.path = "/v1/plan"}).body)["spent_usd"].get<double>();
}

int run(Experiment e) {
  if (const std::string obstacle = SlurmCluster::obstacle(); !obstacle.empty()) {
    std::cerr << "skipped: " << obstacle << "\n";
    return 77;
  }
  const SlurmCluster cluster;
  if (!cluster.ready()) {
    std::cerr << "Slurm does not come up: " << cluster.logs();
    return 1;
  }
  fs::create_directories(e.folder);
  e.kinds = training_kinds();
  if (!time_kinds(e.program, e.kinds)) return 1;
  DaemonProcess daemon(e.program, e.folder / "daemon",
                       {.method = e.method,
                        .apply = "slurm:cpus",
                        .machines = machines_text(),
                        .more = {"--budget", std::to_string(kBudgetUsdHour)}});
  if (!daemon.start()) {
    std::cerr << "the daemon does not come up: " << daemon.log();
    return 1;
  }
  prepare_stream(e, daemon);
  const Predicted predicted = simulated(e);
  const double before = spent_so_far(daemon);
  const double begin = unix_now();
  SlotWatch watch(begin, kEmptyJobs);
  if (!run_stream(e, daemon, watch, begin)) {
    std::cerr << daemon.log();
    return 1;
  }
  print_slots(watch.slots());
  Paid paid = print_jobs(e, daemon, begin);
  paid.machines_usd = watch.spent_usd() - before;
  print_totals(e, predicted, paid);
  return paid.failed == 0 && daemon.stop() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: plan_prototype PROGRAM FOLDER [METHOD [JOBS [SEED]]]\n";
    return 2;
  }
  std::vector<std::string> words(argv, argv + argc);
  Experiment e{
      .program = fs::absolute(words[1]).string(), .folder = fs::absolute(words[2]), .method = "sextant"};
  if (argc > 3) e.method = words[3];
  if (argc > 4) e.setup.jobs = std::atoi(words[4].c_str());
  if (argc > 5) e.setup.seed = std::strtoull(words[5].c_str(), nullptr, 10);
  // Threads that spin while they wait would take the cores of Slurm and the daemon, which need them, too.
  ::setenv("OMP_WAIT_POLICY", "passive", 0);
  try {
    return run(std::move(e));
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
}
