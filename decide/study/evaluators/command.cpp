// Evaluator command: any program, with the configuration on its command line and the metrics in its output.
#include "awaited_run.h"
#include "command_template.h"
#include "evaluator_settings.h"
#include "metric_sources.h"
#include "sextant/core/text.h"
#include "sextant/measure/child_process.h"
#include "sextant/measure/launched_command.h"
#include "sextant/measure/shell_words.h"
#include "sextant/study/evaluator.h"
#include "shell_line.h"

namespace sextant::study::evaluator_command {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> extra_names() {
  return {"trial", "trial_folder"};
}

class CommandEvaluator final : public Evaluator {
 public:
  explicit CommandEvaluator(const EvaluatorSetup& setup)
      : setup_(setup),
        settings_(setup.study.evaluator),
        command_(parse(settings_, setup.study.problem.space)),
        sources_(settings_, setup.study, {"seconds", "cost_usd"}) {
    request_.work = fs::absolute(settings_.path(".")).lexically_normal();
    request_.runner = settings_.maybe_text("runner").value_or("local");
    request_.ranks = settings_.integer("ranks", 1);
    request_.cpus_per_rank = settings_.integer("cpus_per_rank", 1);
    request_.options = measure::split_shell_words(settings_.maybe_text("runner_options").value_or(""),
                                                  settings_.where("runner_options"));
    if (const auto output = settings_.maybe_text("output")) {
      output_ = CommandTemplate::words(*output, setup.study.problem.space, settings_.where("output"),
                                       extra_names());
    }
    settings_.finish();
    const std::vector<std::string> obstacles = measure::launch_obstacles(request_.runner);
    if (!obstacles.empty()) throw SystemError(obstacles.front());
    check_program();
  }

  explore::TrialOutcome run(const explore::Trial& trial) override {
    measure::LaunchRequest request = request_;
    request.folder = new_folder(trial.number);
    const explore::SearchSpace& space = setup_.study.problem.space;
    const CommandTemplate::Extras extras = {{"trial", std::to_string(trial.number)},
                                            {"trial_folder", request.folder.string()}};
    request.command = command_.shell.empty() ? command_.words->fill(space, trial.configuration, extras)
                                             : std::vector<std::string>{"/bin/sh", "-c", command_.shell};
    request.environment = factor_environment(space, trial.configuration);
    request.environment.insert(request.environment.end(),
                               {{"SEXTANT_STUDY", setup_.study.name},
                                {"SEXTANT_TRIAL", extras.at("trial")},
                                {"SEXTANT_TRIAL_FOLDER", extras.at("trial_folder")},
                                {"SEXTANT_CONFIGURATION", space.text(trial.configuration)}});
    const auto command = launch_command(request);
    explore::TrialOutcome result = await_run(*command, setup_);
    if (result.state != explore::TrialState::completed) return result;
    const fs::path output =
        output_ ? request.work / output_->fill(space, trial.configuration, extras).front() : command->log();
    read_metrics(end_of_file(output), result);
    return result;
  }

 private:
  // Words to start, or a line for a shell.
  struct Command {
    std::optional<CommandTemplate> words = {};
    std::string shell = {};
  };
  static Command parse(EvaluatorSettings& settings, const explore::SearchSpace& space) {
    const std::string text = settings.text("run");
    const SourcePos at = settings.where("run");
    if (!settings.boolean("shell")) return {.words = CommandTemplate::words(text, space, at, extra_names())};
    if (trim(text).empty()) throw InputError(at, "the command is empty");
    return {.shell = line_for_shell(text, space, at, extra_names())};
  }

  // What can never start is an error before the first trial.
  void check_program() const {
    const std::string program = command_.words ? command_.words->program() : "";
    if (program.empty()) return;
    const bool path = program.find('/') != std::string::npos;
    if (measure::find_program(path ? (request_.work / program).string() : program)) return;
    const fs::path file = request_.work / program;
    if (path && fs::is_regular_file(file)) {
      throw InputError(settings_.where("run"), "'" + program + "' may not be executed",
                       "chmod +x " + program + ", or name what reads it: sh " + program);
    }
    const bool beside = !path && measure::find_program((request_.work / program).string());
    throw InputError(settings_.where("run"), "there is no program '" + program + "'",
                     beside ? "it is beside the study: write ./" + program
                            : "relative paths start at the folder of the study file");
  }

  // A run's own: an earlier attempt's output must not be taken for its.
  [[nodiscard]] fs::path new_folder(std::int64_t number) const {
    for (int attempt = 1;; ++attempt) {
      fs::path folder = fs::absolute(setup_.scratch) / ("trial-" + std::to_string(number));
      if (attempt > 1) folder += "." + std::to_string(attempt);
      std::error_code error;
      fs::create_directories(folder.parent_path(), error);
      if (fs::create_directory(folder, error)) return folder;
      if (error) throw SystemError(folder.string() + ": cannot be made: " + error.message());
    }
  }

  void read_metrics(const std::string& output, explore::TrialOutcome& result) const {
    const FoundMetrics found = sources_.find(output);
    if (found.problem.empty()) {
      for (const auto& [name, value] : found.values) result.metrics[name] = value;
      return;
    }
    result.state = explore::TrialState::failed;
    const std::string end = output_end(output);
    result.message = found.problem + (end.empty() ? "; there is no output" : "; it ends: " + end);
  }

  EvaluatorSetup setup_;
  EvaluatorSettings settings_;
  Command command_;
  MetricSources sources_;
  std::optional<CommandTemplate> output_;
  measure::LaunchRequest request_;
};

}  // namespace

std::vector<EvaluatorInfo> plugin() {
  return {{{.id = "command",
            .summary = "any program: factors on its command line, metrics in its output or its time",
            .reference = "settings: run, shell, pattern, json, output, runner (local, mpi, slurm), ranks, "
                         "cpus_per_rank, runner_options"},
           {"run"},
           [](const EvaluatorSetup& setup) -> std::unique_ptr<Evaluator> {
             return std::make_unique<CommandEvaluator>(setup);
           }}};
}

}  // namespace sextant::study::evaluator_command
