// Share programs by the simplex method that knows their structure, relative to the general solver on the same
// programs; and the rest of what share policies do, relative to one such program.
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "../decide/schedule/src/share_finish_time.h"
#include "../decide/schedule/src/share_packing.h"
#include "../decide/schedule/tests/share_recorded.h"
#include "ratio.h"
#include "sextant/core/rng.h"

namespace sextant::bench {
namespace {

constexpr int kRuns = 15;  // the general solver is slow on the large ones

// A cluster of three types that is asked for about twice what it has.
schedule::ShareProgram draw_program(std::size_t jobs) {
  Rng rng = Rng(1).stream("share-programs", jobs);
  schedule::ShareProgram out;
  out.reset(jobs, 3);
  for (double& capacity : out.capacity) capacity = std::ceil(static_cast<double>(jobs) / 3);
  for (std::size_t i = 0; i < jobs; ++i) {
    out.gpus[i] = static_cast<double>(1U << rng.below(3));
    const double scale = std::exp(2 * rng.normal());
    for (std::size_t j = 0; j < 3; ++j) {
      out.rate[i * 3 + j] = scale * (1 + static_cast<double>(j)) * (0.5 + rng.uniform());
      out.demand[i] += out.rate[i * 3 + j] / (3 * out.gpus[i]);
    }
  }
  return out;
}

double solve_fast(const schedule::ShareProgram& program) {
  schedule::ShareSimplex simplex;
  schedule::ShareOptimum out;
  simplex.solve(program, out);
  return out.value;
}

void level_against_general_solver(benchmark::State& state) {
  const schedule::ShareProgram program = draw_program(static_cast<std::size_t>(state.range(0)));
  report_ratio(
      state, [&] { return solve_fast(program); }, [&] { return solve_with_general_solver(program).value; });
}
BENCHMARK(level_against_general_solver)
    ->Arg(20)
    ->Arg(75)
    ->Arg(200)
    ->Arg(1000)
    ->UseManualTime()
    ->Iterations(kRuns)
    ->Unit(benchmark::kMicrosecond);

void throughput_against_general_solver(benchmark::State& state) {
  schedule::ShareProgram program = draw_program(static_cast<std::size_t>(state.range(0)));
  program.gain = program.rate;
  report_ratio(
      state, [&] { return solve_fast(program); }, [&] { return solve_with_general_solver(program).value; });
}
BENCHMARK(throughput_against_general_solver)
    ->Arg(75)
    ->Arg(1000)
    ->UseManualTime()
    ->Iterations(kRuns)
    ->Unit(benchmark::kMicrosecond);

// All levels, and the worst ratio of finish times, relative to one level.
void water_filling_against_one_level(benchmark::State& state) {
  const schedule::ShareProgram program = draw_program(static_cast<std::size_t>(state.range(0)));
  schedule::LevelSolver solver;
  schedule::ShareOptimum out;
  report_ratio(
      state,
      [&] {
        solver.fill(program, std::vector<double>(program.jobs(), 1), out);
        return out.value;
      },
      [&] { return solve_fast(program); });
}
BENCHMARK(water_filling_against_one_level)
    ->Arg(75)
    ->UseManualTime()
    ->Iterations(kRuns)
    ->Unit(benchmark::kMicrosecond);

void finish_time_against_one_level(benchmark::State& state) {
  const schedule::ShareProgram drawn = draw_program(static_cast<std::size_t>(state.range(0)));
  Rng rng = Rng(2).stream("targets");
  std::vector<schedule::FinishTarget> targets(drawn.jobs());
  const std::vector<double> weight(drawn.jobs(), 1);
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double isolated_s = 1e4 * (0.1 + rng.uniform());
    const double age_s = 1e4 * rng.uniform();
    targets[i] = {.age_s = age_s, .left = isolated_s * drawn.demand[i] / 2, .isolated_s = isolated_s};
  }
  schedule::LevelSolver solver;
  schedule::ShareOptimum out;
  report_ratio(
      state,
      [&] {
        schedule::ShareProgram program = drawn;
        return solve_finish_time({targets, weight}, program, solver, out);
      },
      [&] { return solve_fast(drawn); });
}
BENCHMARK(finish_time_against_one_level)
    ->Arg(75)
    ->Arg(200)
    ->UseManualTime()
    ->Iterations(kRuns)
    ->Unit(benchmark::kMicrosecond);

// The allocation problems that Gavel met with 500 jobs, where its records are at hand.
struct Recorded {
  std::filesystem::path data;
  std::vector<schedule::test::RecordedProblem> problems = {};
  std::unique_ptr<schedule::test::GavelRecords> records = {};
};

Recorded read_recorded(int gpus, const std::string& policy, bool pairs) {
  const char* set = std::getenv("SEXTANT_DATA");
  Recorded out{.data = set != nullptr ? set : "../shared/data"};
  const std::filesystem::path gavel = out.data / "../reference/gavel";
  const std::string each = std::to_string(gpus);
  const auto file =
      gavel / "runs" / ("cs500_" + each + "-" + each + "-" + each + "-Q__" + policy + ".allocs.gz");
  const auto table = out.data / "gavel/simulation_throughputs.json";
  if (!std::filesystem::exists(file) || !std::filesystem::exists(table)) return out;
  const double count = gpus;
  out.records = std::make_unique<schedule::test::GavelRecords>(
      table.string(), (gavel / "traces/cont_single_n500_lam720_s0.trace").string(),
      std::vector<std::pair<std::string, double>>{{"v100", count}, {"p100", count}, {"k80", count}});
  out.problems = out.records->read(file.string(), pairs);
  return out;
}

std::vector<schedule::ShareProgram> programs_of(const Recorded& recorded) {
  std::vector<schedule::ShareProgram> out;
  for (const schedule::test::RecordedProblem& each : recorded.problems) {
    if (each.problem.jobs.empty()) continue;
    schedule::ShareProgram& program = out.emplace_back();
    load_share_program(each.problem, schedule::RateView::by_type, program);
    for (std::size_t i = 0; i < program.jobs(); ++i)
      program.demand[i] = max_min_demand(each.problem, program, i);
  }
  return out;
}

void recorded_max_min_against_general_solver(benchmark::State& state) {
  const Recorded recorded = read_recorded(static_cast<int>(state.range(0)), "max_min_fairness_perf", false);
  const std::vector<schedule::ShareProgram> programs = programs_of(recorded);
  if (programs.empty())
    return state.SkipWithError("needs gavel/ below SEXTANT_DATA, and the reference beside it");
  schedule::LevelSolver solver;
  schedule::ShareOptimum out;
  report_ratio(
      state,
      [&] {
        double sum = 0;
        for (const schedule::ShareProgram& program : programs) {
          const std::vector<double> weight(program.jobs(), 1);
          solver.solve(program, weight, out);  // the level, and the rest shared
          sum += out.value;
        }
        return sum;
      },
      [&] {
        double sum = 0;
        for (const schedule::ShareProgram& program : programs)
          sum += solve_with_general_solver(program).value;
        return sum;
      });
}
BENCHMARK(recorded_max_min_against_general_solver)
    ->Arg(12)
    ->Arg(36)
    ->UseManualTime()
    ->Iterations(kRuns)
    ->Unit(benchmark::kMillisecond);

// With pairs, relative to the same jobs without them.
void recorded_packed_against_alone(benchmark::State& state) {
  const Recorded recorded = read_recorded(36, "max_min_fairness_packed", true);
  const std::vector<schedule::ShareProgram> programs = programs_of(recorded);
  if (programs.empty())
    return state.SkipWithError("needs gavel/ below SEXTANT_DATA, and the reference beside it");
  schedule::PackedLevel packed;
  schedule::PackedOptimum out;
  report_ratio(
      state,
      [&] {
        double sum = 0;
        for (std::size_t i = 0; i < programs.size(); ++i) {
          packed.solve(recorded.problems[i].problem, programs[i], out);
          sum += out.level;
        }
        return sum;
      },
      [&] {
        double sum = 0;
        for (const schedule::ShareProgram& program : programs)
          sum += solve_with_general_solver(program).value;
        return sum;
      });
}
BENCHMARK(recorded_packed_against_alone)->UseManualTime()->Iterations(kRuns)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sextant::bench
