// Options that the parts of `explore` share, and studies that are given on the command line alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sextant/cli/command.h"
#include "sextant/study/run_study.h"

namespace sextant {

// Which study, and where it lives.
struct StudyPlaceArgs {
  std::optional<std::string> study;
  std::optional<std::string> store;
};

// A study without a file.
struct InlineStudyArgs {
  std::optional<std::string> run;
  bool shell = false;
  std::vector<std::string> factors;
  std::vector<std::string> constraints;
  std::optional<std::string> metric;
  std::vector<std::string> minimise;
  std::vector<std::string> maximise;
  std::vector<std::string> limits;
  std::optional<std::string> cost;
  std::optional<std::string> timeout;
};

struct ExploreArgs {
  StudyPlaceArgs place;
  InlineStudyArgs inline_study;
  std::optional<std::string> strategy;
  std::optional<std::int64_t> trials;
  std::optional<std::int64_t> workers;
  bool no_run = false;
  bool all = false;
  std::optional<std::string> plot;
  bool force = false;
};

std::vector<Option> explore_options(ExploreArgs& args);
std::vector<Option> study_place_options(StudyPlaceArgs& args);

// The text of a study file that says the same. InputError that names the option.
std::string inline_study_text(const InlineStudyArgs& args, std::int64_t trials);

// The file's study, or the one of the options, with what the options change.
StudySpec study_of_args(const ExploreArgs& args, const Catalog& catalog);

// --store, else beside the study file: study.toml lives in study.sqlite.
std::string store_location(const StudyPlaceArgs& args);
// Where logs of trials go.
std::string runs_folder(const std::string& location, const StudySpec& study);

}  // namespace sextant
