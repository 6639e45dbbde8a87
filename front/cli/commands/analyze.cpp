// sextant analyze: what explains the results of runs, and how sure that is.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>

#include "analyze_args.h"
#include "catalog_option.h"
#include "output_file.h"
#include "sextant/cli/command.h"
#include "sextant/cli/run.h"
#include "sextant/core/text.h"
#include "sextant/report/analysis_plots.h"
#include "sextant/report/analysis_report.h"

namespace sextant::cli::command_analyze {
namespace {

void check_sections(const std::vector<std::string>& show) {
  const std::vector<std::string> known = report::analysis_section_ids();
  for (const std::string& id : show) {
    if (std::ranges::find(known, id) == known.end()) {
      throw InputError({"--show"}, "there is no section '" + id + "'", name_hint(id, known));
    }
  }
}

// Made where it is missing; its parent must be there.
void make_folder(const std::string& path) {
  std::error_code status;
  std::filesystem::create_directory(path, status);
  if (!std::filesystem::is_directory(path, status)) {
    throw InputError({"--plot-all"}, "the folder '" + path + "' cannot be made",
                     "is there a file of that name?");
  }
}

void write_picture(OutputFile& file, const std::string& svg) {
  file.stream() << svg;
  file.commit();
}

void write_pictures(const std::string& folder, const analysis::Analysis& analysis, const Io& io) {
  for (const report::NamedPicture& picture : report::analysis_pictures(analysis)) {
    OutputFile file((std::filesystem::path(folder) / (picture.name + ".svg")).string(), io);
    write_picture(file, picture.svg);
  }
}

int run_analyze(const AnalyzeArgs& args, const Io& io, const Globals& globals) {
  check_sections(args.show);
  if (globals.chosen_format() == Format::csv && args.show.size() > 1) {
    throw InputError({"--show"}, "a CSV file holds one section", "or take --json");
  }
  std::optional<OutputFile> plot = output_file(args.plot, io);
  if (args.plot_all) make_folder(*args.plot_all);
  ask::AnalyzeQuestion question = args.question;
  question.seed = static_cast<std::uint64_t>(globals.seed);
  const analysis::Analysis analysis = ask::analyze(question, [&] { return open_catalog(io, globals); });
  const report::Result result = report::analysis_result(analysis, {.show = args.show, .all = args.all});
  if (std::ranges::none_of(result.sections, &report::Section::shown)) {
    warn(io, "nothing to show: this analysis has no such section");
  }
  write_result(io, globals, result);
  if (plot) write_picture(*plot, report::main_effects_svg(analysis));
  if (args.plot_all) write_pictures(*args.plot_all, analysis, io);
  return kDone;
}

}  // namespace

std::vector<Command> plugin() {
  const auto args = std::make_shared<AnalyzeArgs>();
  return {
      {.path = "analyze",
       .wish = Wish::find,
       .summary = "find what explains the results of runs, and how sure that is",
       .details =
           "Takes any table with a row per run, or the trials of a study. The answer has an analysis of "
           "variance "
           "with its assumptions checked, the effects of levels, Tukey's pairs, regressions and importance; "
           "with --group, whether optima transfer between workloads; with --scaling, diminishing returns. A "
           "column of numbers with more than 10 values is a covariate.",
       .examples = {"sextant analyze runs.csv --response time_s --factors machine,batch",
                    "sextant analyze runs.csv --response cost_usd --factors vm_type,vm_count --group case "
                    "--censored completed=0 --show transfer",
                    "sextant analyze runs.csv --response images_per_s --maximise --factors workers --scaling "
                    "workers --plot-all pictures"},
       .options = analyze_options(*args),
       .run = [args](const Io& io, const Globals& globals) { return run_analyze(*args, io, globals); }}};
}

}  // namespace sextant::cli::command_analyze
