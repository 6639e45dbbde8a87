// The jobs of the prototype: trainings of some seconds on this machine, in parts of which those that are done
// are kept when a job is stopped; what each takes, timed once; and the stream in which they come.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sextant::test {

// Made-up machines: one and two cores. The larger one costs less a core.
inline constexpr double kSmallUsdHour = 60;
inline constexpr double kLargeUsdHour = 115;
// All nodes together: two cores at most, since there are no more here.
inline constexpr double kBudgetUsdHour = 121;

struct TrainingKind {
  std::string name;
  std::string words;  // of `sextant measure`, for one part
  int parts = 1;
  // Seconds of a part. Nobody knows beforehand whether the other core is at work, too: those of one core are
  // the mean of both.
  double one_core_s = 0;
  double two_cores_s = 0;
};
// With the times of one part each. False: one of them does not train here.
bool time_kinds(const std::string& program, std::vector<TrainingKind>& kinds);
std::vector<TrainingKind> training_kinds();

struct StreamJob {
  std::string id;
  std::size_t kind = 0;
  double submit_s = 0;  // since the beginning
  double due_s = 0;
  double usd_per_late_hour = 0;
};

struct StreamSetup {
  int jobs = 12;
  double gap_s = 0;    // between two submissions
  double start_s = 0;  // what a start by Slurm takes, until the end is known
  double restart_s = 0;
  std::uint64_t seed = 1;
};
// Due dates U(1.2, 3) times the median time after the submission, and an hour of delay costs 1 to 5 times
// the mean price of a machine.
std::vector<StreamJob> drawn_stream(const std::vector<TrainingKind>& kinds, const StreamSetup& setup);

// Seconds of the whole job.
double job_seconds(const TrainingKind& kind, int cores, const StreamSetup& setup);

// The tables of `sextant plan simulate`: jobs.csv, times.csv, machines.csv.
void write_tables(const std::filesystem::path& folder, const std::vector<TrainingKind>& kinds,
                  const std::vector<StreamJob>& jobs, const StreamSetup& setup);

// The command of a job: parts one after the other, each reported to the daemon when it is done, and the end.
std::filesystem::path write_job_script(const std::filesystem::path& folder);

}  // namespace sextant::test
