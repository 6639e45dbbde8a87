#include "study_question.h"

#include <filesystem>

#include "sextant/core/provenance.h"
#include "sextant/explore/search_strategy.h"

namespace sextant::ask {
namespace {

constexpr std::int64_t kUsualTrials = 20;
constexpr std::size_t kHashLength = 8;
constexpr const char* kInlineStore = "sextant-study.sqlite";

study::StudySpec with_seed(study::StudySpec study, std::uint64_t seed) {
  if (seed != 0) study.seed = seed;
  return study;
}

}  // namespace

study::StudySpec study_of(const ExploreQuestion& question, const catalog::Catalog& catalog) {
  const InlineStudy& given = question.inline_study;
  const bool from_options = given.run || !given.factor.empty();
  if (question.place.study && from_options) {
    throw InputError(at_field(given.run ? "run" : "factor"), "the study file says this already",
                     "give a file, or options");
  }
  if (!question.place.study && !from_options) {
    throw InputError(at_field("study"), "no study was named", "a file, or `run` with `factor`");
  }
  if (!question.place.study && !given.run) {
    throw InputError(at_field("run"), "what runs a trial?", "`run` 'train.sh {batch}'");
  }
  study::StudySpec study =
      question.place.study
          ? study::read_study_file(*question.place.study, catalog)
          : study::parse_study(inline_study_text(given, question.trials.value_or(kUsualTrials)),
                               "command line", catalog);
  // The same command goes on; another is another study.
  if (!question.place.study) study.name = "run-" + sha256_hex(study_identity(study)).substr(0, kHashLength);
  if (question.strategy) study.strategy = *question.strategy;
  if (study.strategy != "none") (void)explore::make_search_strategy(study.strategy, at_field("strategy"));
  if (question.trials) study.budget.trials = *question.trials;
  if (question.workers) study.parallel = *question.workers;
  return with_seed(std::move(study), question.seed);
}

study::StudySpec study_in(const StudyPlace& place, std::uint64_t seed, const catalog::Catalog& catalog) {
  return with_seed(study::read_study_file(place.study.value_or(""), catalog), seed);
}

std::string store_location(const StudyPlace& place) {
  if (place.store) return *place.store;
  if (!place.study) return kInlineStore;
  return std::filesystem::path(*place.study).replace_extension(".sqlite").string();
}

std::string runs_folder(const std::string& location, const study::StudySpec& study) {
  const bool server = location.find("://") != std::string::npos;
  return (std::filesystem::path(server ? "sextant-study.runs" : location + ".runs") / study.name).string();
}

}  // namespace sextant::ask
