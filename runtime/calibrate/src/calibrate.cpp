#include "sextant/calibrate/calibrate.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "calibration_plan.h"
#include "local_device.h"
#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "sextant/measure/clock.h"
#include "sextant/records/job_fields.h"
#include "sextant/records/record_csv.h"
#include "sextant/stats/robust.h"
#include "timed_networks.h"

namespace sextant::calibrate {
namespace {

constexpr double kLeastBudget = 20;            // s: below it nothing useful is timed
constexpr double kFitShare = 0.05;             // of the budget, kept for the fit
constexpr double kIterationShare = 1.0 / 700;  // of the budget that one iteration may take
constexpr std::size_t kFailuresInARow = 3;
// Short iterations are repeated more often: starting a process takes longer than they do.
constexpr double kRepeated = 0.8;  // s
constexpr std::int64_t kFewestRepetitions = 4;
constexpr std::int64_t kMostRepetitions = 15;
constexpr std::int64_t kWarmups = 2;
constexpr std::int64_t kMostCandidates = 100000;

// Now, rather than when minutes of measuring are over: rights alone do not tell whether a file system takes
// files, so one is made. What was made goes again; the folder comes when there is something in it.
void check_writable(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<fs::path> missing;  // the deepest first
  for (fs::path each = fs::absolute(folder, error); !fs::exists(each, error) && each.has_relative_path();
       each = each.parent_path()) {
    missing.push_back(each);
  }
  error.clear();
  fs::create_directories(folder, error);
  const bool made = !error && fs::is_directory(folder);
  const std::string why = error ? error.message() : "there is a file of that name";
  bool written = false;
  if (made) {
    const fs::path probe = folder / (".sextant-" + std::to_string(::getpid()));
    written = std::ofstream(probe).put('\n').flush().good();
    fs::remove(probe, error);
  }
  for (const fs::path& each : missing) fs::remove(each, error);  // only where it is empty
  if (!made) throw SystemError(folder.string() + ": cannot be made: " + why);
  if (!written) throw SystemError(folder.string() + ": no file can be written there");
}

void check(const CalibrateOptions& options) {
  const bool named = !options.id.empty() && std::ranges::all_of(options.id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
  });
  if (!named || options.id.front() == '.') {
    throw InputError(at_field("id"), "'" + options.id + "' is not a name for a device",
                     "take lower-case letters, digits and '-'");
  }
  if (!(options.budget_s >= kLeastBudget) || !std::isfinite(options.budget_s)) {
    throw InputError(at_field("budget"), "the budget is too small to time anything",
                     "give at least 20s; 4min is usual");
  }
  if (options.threads < 1 || options.threads > 1024) {
    throw InputError(at_field("threads"), "the number of threads is not between 1 and 1024");
  }
  if (options.folder.empty()) throw InputError(at_field("folder"), "the folder of the catalogue is missing");
  check_writable(options.folder);
}

class Calibrator {
 public:
  Calibrator(const CalibrateOptions& options, Progress& progress)
      : options_(options), progress_(progress), start_(measure::monotonic_ns()), plan_(options.seed) {
    supervise_.worker = options.worker;
    supervise_.interrupted = options.interrupted;
  }

  LocalCalibration run() {
    for (std::int64_t i = 0; i < kMostCandidates && !options_.interrupted(); ++i) {
      CalibrationCandidate candidate = plan_.next();
      const double iteration = candidate.work_s * pace_;
      if (iteration > options_.budget_s * kIterationShare) continue;
      if (elapsed() + expected(iteration) > options_.budget_s * (1 - kFitShare)) break;
      time(std::move(candidate));
    }
    return finish();
  }

 private:
  [[nodiscard]] double elapsed() const {
    return static_cast<double>(measure::monotonic_ns() - start_) * 1e-9;
  }
  // Two processes, and what each of them repeats.
  [[nodiscard]] double expected(double iteration) const {
    return 2 * (process_s_ + iteration * static_cast<double>(repetitions(iteration) + kWarmups));
  }

  static std::int64_t repetitions(double iteration) {
    const double wanted = std::clamp(kRepeated / iteration, 0.0, 1e6);
    return std::clamp(static_cast<std::int64_t>(wanted), kFewestRepetitions, kMostRepetitions);
  }

  void time(CalibrationCandidate candidate) {
    const double left_s = std::max(0.0, options_.budget_s - elapsed());
    progress_.step(static_cast<std::int64_t>(elapsed()), static_cast<std::int64_t>(options_.budget_s),
                   std::to_string(networks_.size()) + " networks are timed, it takes at most " +
                       human(Seconds{left_s}) + " more");
    const double before = elapsed();
    const NetworkTrial trial{.job = {.net = candidate.net,
                                     .sizes = candidate.sizes,
                                     .optimizer = jobs::Optimizer::momentum,
                                     .stack = options_.id,
                                     .layout = {}},
                             .threads = options_.threads,
                             .warmup = kWarmups,
                             .repetitions = repetitions(candidate.work_s * pace_),
                             .seed = options_.seed};
    predict::TimedNetwork network{.name = candidate.net, .graph = std::move(candidate.graph)};
    try {
      timings_.push_back(time_operators(trial, supervise_));
      set_operator_times(network, timings_.back());
      network.step = time_step(trial, supervise_);
      failed_ = 0;
    } catch (const SystemError& error) {
      if (!options_.interrupted()) note_failure(error);
      timings_.resize(networks_.size());
      return;
    } catch (const InputError& error) {  // that cannot be trained: minutes of others are not lost by it
      note_failure(SystemError(error.what()));
      timings_.resize(networks_.size());
      return;
    }
    const double repeated = 2 * network.step->total_s * static_cast<double>(trial.repetitions + kWarmups);
    learn_pace(network.step->total_s / candidate.work_s, (elapsed() - before - repeated) / 2);
    jobs_.push_back(trial.job);
    networks_.push_back(std::move(network));
  }

  // One network may be too much for the machine; several in a row mean that nothing works.
  void note_failure(const SystemError& error) {
    result_.warnings.emplace_back(error.what());
    if (++failed_ >= kFailuresInARow) throw error;
  }

  void learn_pace(double pace, double start_s) {
    paces_.push_back(pace);
    pace_ = stats::median(paces_);
    starts_.push_back(std::max(0.0, start_s));
    process_s_ = stats::median(starts_);
  }

  LocalCalibration finish() {
    result_.interrupted = options_.interrupted();
    result_.device = fit_calibrated_device(networks_, progress_);
    result_.device.threads = options_.threads;
    result_.gpu = describe_machine(options_.id, options_.threads, networks_);
    result_.networks = networks_.size();
    result_.steps = networks_.size();
    write();
    result_.seconds = elapsed();
    return std::move(result_);
  }

  // The entry of the catalogue last: it names files that are then complete.
  void write() {
    std::error_code error;
    std::filesystem::create_directories(options_.folder, error);
    if (error) throw SystemError(options_.folder.string() + ": cannot be made: " + error.message());
    const Provenance from = provenance_now("sextant calibrate", options_.seed);
    result_.catalog_file = options_.folder / (options_.id + ".toml");
    result_.calibration_file = options_.folder / (options_.id + ".json");
    result_.records_file = options_.folder / (options_.id + ".csv");
    Json json = to_json(predict::CalibratedDevices{{options_.id, result_.device}});
    json["provenance"] = to_json(from);
    std::ostringstream rows;
    const std::vector<records::Record> records = operator_records(from);
    write_records_csv(rows, records);
    result_.operators = records.size();
    measure::write_file_atomically(result_.records_file, rows.str());
    measure::write_file_atomically(result_.calibration_file, json.dump() + "\n");
    const std::string name = result_.calibration_file.filename().string();
    result_.gpu.calibration = result_.calibration_file.string();
    measure::write_file_atomically(result_.catalog_file, catalog_text(result_.gpu, name));
  }

  [[nodiscard]] std::vector<records::Record> operator_records(const Provenance& from) const {
    std::vector<records::Record> records;
    for (std::size_t i = 0; i < networks_.size(); ++i) {
      for (const measure::OperatorTiming& op : timings_[i]) {
        std::vector<records::Field> fields = records::job_fields(jobs_[i], options_.id);
        fields.insert(fields.end(), {{"threads", static_cast<double>(options_.threads)},
                                     {"node", static_cast<double>(op.node)},
                                     {"name", op.name},
                                     {"type", op.type},
                                     {"flop", op.flop},
                                     {"bytes", op.bytes},
                                     {"op_forward_s", op.forward_s},
                                     {"op_backward_s", op.backward_s}});
        records.push_back(new_record("operator", std::move(fields), from));
      }
    }
    return records;
  }

  const CalibrateOptions& options_;
  Progress& progress_;
  std::int64_t start_;
  CalibrationPlan plan_;
  measure::SuperviseOptions supervise_;
  double pace_ = 1;       // measured over modest_work
  double process_s_ = 1;  // to start a worker and build a network
  std::vector<double> paces_;
  std::vector<double> starts_;
  std::size_t failed_ = 0;
  std::vector<predict::TimedNetwork> networks_;
  std::vector<jobs::Job> jobs_;                                // of each network
  std::vector<std::vector<measure::OperatorTiming>> timings_;  // of each network
  LocalCalibration result_;
};

}  // namespace

LocalCalibration calibrate(const CalibrateOptions& options, Progress& progress) {
  check(options);
  return Calibrator(options, progress).run();
}

}  // namespace sextant::calibrate
