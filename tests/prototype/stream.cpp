#include "stream.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "sextant/core/rng.h"

namespace sextant::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kJobScript = R"(#!/bin/sh
# job.sh PROGRAM URL PARTS WORDS...: trains in parts. The number of those that are done is kept, so that who
# is stopped goes on with the part in hand. It tells the daemon of each part, and of its end.
program=$1 url=$2 parts=$3
shift 3
tell() {
  curl -sSf --max-time 5 -H 'Content-Type: application/json' -d "$2" "$url/v1/jobs/$SEXTANT_JOB/$1" > /dev/null
}
done=$(cat "$SEXTANT_JOB.parts" 2>/dev/null || echo 0)
while [ "$done" -lt "$parts" ]; do
  "$program" measure "$@" --threads "$SEXTANT_GPUS" || exit 1
  done=$((done + 1))
  echo "$done" > "$SEXTANT_JOB.new" && mv "$SEXTANT_JOB.new" "$SEXTANT_JOB.parts"
  [ "$done" -eq "$parts" ] && break
  tell progress "{\"key\": \"part-$done\", \"done\": $(awk "BEGIN { print $done / $parts }")}"
done
tell finish "{}" || { sleep 0.2; tell finish "{}"; }  # who has just been started is not known to run yet
exit 0
)";

// Wall time of the commands side by side; negative: one of them failed.
double side_by_side(const std::string& command, int copies) {
  std::string line = "pids=; ";
  for (int i = 0; i < copies; ++i) line += command + " > /dev/null 2>&1 & pids=\"$pids $!\"; ";
  line += "for p in $pids; do wait $p || exit 1; done";
  const auto begin = std::chrono::steady_clock::now();
  const int code = std::system(line.c_str());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return code == 0 ? took.count() : -1;
}

// Over one core of either machine and two of the larger one.
double median_seconds(const TrainingKind& kind, const StreamSetup& setup) {
  return job_seconds(kind, 1, setup);
}

}  // namespace

std::vector<TrainingKind> training_kinds() {
  const std::string once = " --warmup 0 --rounds 1 --within 1 --budget 1s";
  return {
      {.name = "lenet5", .words = "lenet5 --batch 64 --iterations 300" + once, .parts = 8},
      {.name = "resnet18", .words = "resnet18 --image 32 --batch 16 --iterations 10" + once, .parts = 8},
      {.name = "alexnet", .words = "alexnet --batch 4 --iterations 4" + once, .parts = 8},
      {.name = "mobilenet", .words = "mobilenet-v2 --image 64 --batch 8 --iterations 10" + once, .parts = 8},
      {.name = "resnet50", .words = "resnet50 --image 64 --batch 4 --iterations 5" + once, .parts = 6},
      {.name = "squeezenet", .words = "squeezenet1-1 --batch 4 --iterations 6" + once, .parts = 8}};
}

bool time_kinds(const std::string& program, std::vector<TrainingKind>& kinds) {
  for (TrainingKind& kind : kinds) {
    const std::string command = program + " measure " + kind.words + " --threads ";
    const double alone = side_by_side(command + "1", 1);
    const double beside = side_by_side(command + "1", 2);
    kind.one_core_s = (alone + beside) / 2;
    kind.two_cores_s = side_by_side(command + "2", 1);
    std::cerr << kind.name << ": a part takes " << alone << " s on one core, " << beside
              << " s where the other one is at work, too, " << kind.two_cores_s << " s on two\n";
    if (alone <= 0 || beside <= 0 || kind.two_cores_s <= 0) return false;
  }
  return true;
}

double job_seconds(const TrainingKind& kind, int cores, const StreamSetup& setup) {
  return setup.start_s + kind.parts * (cores == 1 ? kind.one_core_s : kind.two_cores_s);
}

std::vector<StreamJob> drawn_stream(const std::vector<TrainingKind>& kinds, const StreamSetup& setup) {
  Rng rng = Rng(setup.seed).stream("plan prototype");
  std::vector<StreamJob> jobs;
  for (int i = 0; i < setup.jobs; ++i) {
    StreamJob job{.id = "job-" + std::to_string(i + 1), .kind = static_cast<std::size_t>(i) % kinds.size()};
    job.submit_s = i * setup.gap_s;
    const double slack = 1.2 + 1.8 * rng.uniform();
    job.due_s = job.submit_s + slack * median_seconds(kinds[job.kind], setup);
    const auto weight = static_cast<double>(1 + rng.below(5));
    job.usd_per_late_hour = weight * (kSmallUsdHour + kLargeUsdHour) / 2;
    jobs.push_back(job);
  }
  return jobs;
}

void write_tables(const fs::path& folder, const std::vector<TrainingKind>& kinds,
                  const std::vector<StreamJob>& jobs, const StreamSetup& setup) {
  std::ofstream times(folder / "times.csv");
  times << "kind,gpu,gpus,seconds\n";
  for (const TrainingKind& kind : kinds) {
    for (const int cores : {1, 2})
      times << kind.name << ",core," << cores << "," << job_seconds(kind, cores, setup) << "\n";
  }
  std::ofstream(folder / "machines.csv") << "vm,gpu,gpus,usd_per_hour\nsmall,core,1," << kSmallUsdHour
                                         << "\nlarge,core,2," << kLargeUsdHour << "\n";
  std::ofstream table(folder / "jobs.csv");
  table << "instance,nodes,job,kind,submit_s,due_s,tardiness_usd_per_s\n";
  for (const StreamJob& job : jobs) {
    table << "prototype,2," << job.id << "," << kinds[job.kind].name << "," << job.submit_s << ","
          << job.due_s << "," << job.usd_per_late_hour / 3600 << "\n";
  }
}

fs::path write_job_script(const fs::path& folder) {
  const fs::path path = folder / "job.sh";
  std::ofstream(path) << kJobScript;
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

}  // namespace sextant::test
