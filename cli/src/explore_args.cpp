#include "explore_args.h"

#include <algorithm>
#include <filesystem>

#include "kinds.h"
#include "sextant/core/provenance.h"
#include "sextant/core/text.h"
#include "sextant/explore/strategy.h"

namespace sextant {
namespace {

constexpr std::int64_t kUsualTrials = 20;
constexpr std::size_t kHashLength = 8;
constexpr const char* kInlineStore = "sextant-study.sqlite";

std::string toml_text(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c == '\n' ? std::string("\\n") : c == '\t' ? std::string("\\t") : std::string(1, c);
  }
  return quoted + "\"";
}

std::string toml_list(const std::vector<std::string>& texts) {
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + toml_text(text);
  return "[" + list + "]";
}

std::string toml_number(const std::string& text, const std::string& factor) {
  const auto number = to_number(text);
  if (!number) throw InputError({"--factor"}, "'" + text + "' in '" + factor + "' is no number");
  return to_integer(text) ? text : number_text(*number);
}

// "1..8", "1e-5..0.1:log"
std::string range_lines(const std::string& factor, const std::string& values, std::size_t dots) {
  std::string high = values.substr(dots + 2);
  const std::string log = ":log";
  const bool ratios = high.ends_with(log);
  if (ratios) high.resize(high.size() - log.size());
  const std::string from = toml_number(values.substr(0, dots), factor);
  const std::string to = toml_number(high, factor);
  const bool whole = to_integer(from) && to_integer(to);
  return std::string("kind = \"") + (whole ? "integer" : "real") + "\"\nlow = " + from + "\nhigh = " + to +
         "\n" + (ratios ? "log = true\n" : "");
}

std::string level_lines(const std::string& factor, const std::string& values) {
  const std::vector<std::string> levels = split(values, ',');
  if (std::ranges::any_of(levels, [](const std::string& level) { return level.empty(); })) {
    throw InputError({"--factor"}, "'" + factor + "' has an empty level");
  }
  const bool numbers =
      std::ranges::all_of(levels, [](const std::string& level) { return to_number(level).has_value(); });
  if (!numbers) return "kind = \"categorical\"\nlevels = " + toml_list(levels) + "\n";
  std::vector<std::string> texts;
  for (const std::string& level : levels) texts.push_back(toml_number(level, factor));
  return "kind = \"ordinal\"\nlevels = [" + join(texts, ", ") + "]\n";
}

std::string factor_text(const std::string& factor) {
  const std::size_t equals = factor.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == factor.size()) {
    throw InputError({"--factor"}, "'" + factor + "' is no factor", "as in batch=16,32,64 or workers=1..8");
  }
  const std::string values = factor.substr(equals + 1);
  const std::size_t dots = values.find("..");
  return "\n[[factor]]\nname = " + toml_text(factor.substr(0, equals)) + "\n" +
         (dots == std::string::npos ? level_lines(factor, values) : range_lines(factor, values, dots));
}

std::string objectives_text(const InlineStudyArgs& args) {
  std::string text;
  for (const auto& [metrics, goal] : {std::pair(&args.minimise, "minimise"), {&args.maximise, "maximise"}}) {
    for (const std::string& metric : *metrics) {
      text += "\n[[objective]]\nmetric = " + toml_text(metric) + "\ngoal = \"" + goal + "\"\n";
    }
  }
  if (text.empty()) return "\n[[objective]]\nmetric = \"seconds\"\n";
  return text;
}

}  // namespace

std::string inline_study_text(const InlineStudyArgs& args, std::int64_t trials) {
  if (args.factors.empty()) {
    throw InputError({"--factor"}, "there is nothing to choose", "--factor batch=16,32,64");
  }
  std::string text;
  if (args.cost) text += "cost = " + toml_text(*args.cost) + "\n";
  if (args.timeout) text += "timeout = " + toml_text(*args.timeout) + "\n";
  if (!args.limits.empty()) text += "limits = " + toml_list(args.limits) + "\n";
  if (!args.constraints.empty()) text += "constraints = " + toml_list(args.constraints) + "\n";
  for (const std::string& factor : args.factors) text += factor_text(factor);
  text += objectives_text(args);
  text += "\n[budget]\ntrials = " + std::to_string(trials) + "\n";
  if (!args.run) return text;
  text += "\n[evaluator]\nkind = \"command\"\nrun = " + toml_text(*args.run) + "\n";
  if (args.shell) text += "shell = true\n";
  if (args.metric) text += "pattern = " + toml_text(*args.metric) + "\n";
  return text;
}

StudySpec study_of_args(const ExploreArgs& args, const Catalog& catalog) {
  const InlineStudyArgs& given = args.inline_study;
  const bool from_options = given.run || !given.factors.empty();
  if (args.place.study && from_options) {
    throw InputError({given.run ? "--run" : "--factor"}, "a study file says this itself",
                     "give a file, or options");
  }
  if (!args.place.study && !from_options) {
    throw InputError({"STUDY"}, "no study was named", "a file, or --run with --factor; see --help");
  }
  if (!args.place.study && !given.run) {
    throw InputError({"--run"}, "what runs a trial?", "--run 'train.sh {batch}'");
  }
  StudySpec study = args.place.study
                        ? read_study_file(*args.place.study, catalog)
                        : parse_study(inline_study_text(given, args.trials.value_or(kUsualTrials)),
                                      "command line", catalog);
  // The same command goes on; another is another study.
  if (!args.place.study) study.name = "run-" + sha256_hex(study_identity(study)).substr(0, kHashLength);
  if (args.strategy) study.strategy = *args.strategy;
  if (study.strategy != "none") (void)make_search_strategy(study.strategy, {"--strategy"});
  if (args.trials) study.budget.trials = *args.trials;
  if (args.workers) study.parallel = *args.workers;
  return study;
}

std::string store_location(const StudyPlaceArgs& args) {
  if (args.store) return *args.store;
  if (!args.study) return kInlineStore;
  return std::filesystem::path(*args.study).replace_extension(".sqlite").string();
}

std::string runs_folder(const std::string& location, const StudySpec& study) {
  std::string name = study.name;
  std::ranges::replace(name, '/', '_');
  const bool server = location.find("://") != std::string::npos;
  return (std::filesystem::path(server ? "sextant-study.runs" : location + ".runs") / name).string();
}

std::vector<Option> study_place_options(StudyPlaceArgs& args) {
  return {{.name = "STUDY", .summary = "study file (TOML)", .target = &args.study, .positional = true},
          {.name = "store",
           .summary = "where the study lives: an SQLite file (default: beside the study file), or "
                      "postgresql://user@host/database",
           .target = &args.store,
           .value_name = "PLACE"}};
}

namespace {

// Instead of a study file.
std::vector<Option> inline_study_options(InlineStudyArgs& given) {
  return {{.name = "run",
           .summary = "command of a trial, with {factor} in it, instead of a study file",
           .target = &given.run,
           .value_name = "COMMAND"},
          {.name = "shell",
           .summary = "the command is a line for a shell; values are quoted",
           .target = &given.shell},
          {.name = "factor",
           .summary = "what can be chosen: batch=16,32,64 or workers=1..8 or rate=1e-5..0.1:log",
           .target = &given.factors,
           .value_name = "NAME=LEVELS",
           .whole = true},
          {.name = "constraint",
           .summary = "what must hold of a configuration: 'batch * workers <= 512'",
           .target = &given.constraints,
           .value_name = "EXPRESSION",
           .whole = true},
          {.name = "metric",
           .summary = "where the first objective stands in the output: a regular expression",
           .target = &given.metric,
           .value_name = "REGEX"},
          {.name = "minimise",
           .summary = "metric to minimise (default: seconds that the command takes)",
           .target = &given.minimise,
           .value_name = "METRIC"},
          {.name = "maximise",
           .summary = "metric to maximise",
           .target = &given.maximise,
           .value_name = "METRIC"},
          {.name = "limit",
           .summary = "what must hold of a metric: 'seconds <= 60'",
           .target = &given.limits,
           .value_name = "LIMIT",
           .whole = true},
          {.name = "cost",
           .summary = "dollars of a trial, an expression over factors, metrics and seconds",
           .target = &given.cost,
           .value_name = "EXPRESSION"},
          {.name = "timeout",
           .summary = "stop a trial after this",
           .target = &given.timeout,
           .value_name = "TIME"}};
}

}  // namespace

std::vector<Option> explore_options(ExploreArgs& args) {
  std::vector<Option> options = study_place_options(args.place);
  const std::vector<Option> more = {
      {.name = "strategy",
       .summary = "search strategy, instead of the file's; see 'sextant list search-strategies'",
       .target = &args.strategy,
       .value_name = "S",
       .names = search_strategy_names},
      {.name = "trials",
       .summary = "at most so many trials in all",
       .target = &args.trials,
       .value_name = "N",
       .low = 1,
       .high = 1e6},
      {.name = "workers",
       .summary = "trials at a time",
       .target = &args.workers,
       .value_name = "N",
       .low = 1,
       .high = 1024},
      {.name = "no-run",
       .summary = "check the study and show what stands, run nothing",
       .target = &args.no_run},
      {.name = "all", .summary = "show every trial, not only the best", .target = &args.all},
      {.name = "plot",
       .summary = "picture of the best after each trial (SVG)",
       .target = &args.plot,
       .value_name = "FILE"},
      {.name = "force",
       .summary = "go on with the trials of a study that was changed since",
       .target = &args.force}};
  options.insert(options.end(), more.begin(), more.end());
  const std::vector<Option> instead = inline_study_options(args.inline_study);
  options.insert(options.end(), instead.begin(), instead.end());
  return options;
}

}  // namespace sextant
