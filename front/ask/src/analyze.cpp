#include "sextant/ask/analyze.h"

#include "known_text.h"
#include "sextant/core/error_place.h"
#include "sextant/core/secrets.h"
#include "sextant/core/text.h"
#include "study_runs.h"

namespace sextant::ask {
namespace {

// "5%" or "0.05": of the mean.
double share_of_mean(const std::string& text) {
  const bool percent = !text.empty() && text.back() == '%';
  const auto number = to_number(trim(percent ? text.substr(0, text.size() - 1) : text));
  const double value = number ? (percent ? *number / 100 : *number) : 0;
  if (value > 0 && value <= 100) return value;
  throw InputError(at_field("detect"), "'" + text + "' is not a positive share of the mean",
                   "as in 5% or 0.05");
}

analysis::AnalysisRequest analysis_request(const AnalyzeQuestion& question) {
  return {.response = question.response,
          .factors = question.factors,
          .left_out = question.without,
          .group = question.group.value_or(""),
          .censored = question.censored.value_or(""),
          .maximise = question.maximise,
          .log = question.log};
}

analysis::AnalysisOptions analysis_options(const AnalyzeQuestion& question) {
  analysis::AnalysisOptions options{.level = question.level,
                                    .may_log = !question.plain,
                                    .scaling = question.scaling.value_or(""),
                                    .top = static_cast<std::size_t>(question.top),
                                    .power = question.power,
                                    .seed = question.seed};
  if (question.order) options.anova.order = static_cast<int>(*question.order);
  if (question.log && question.plain) {
    throw InputError(at_field("plain"), "`plain` contradicts `log`", "leave out one of them");
  }
  refuse_unknown(question.sums, {"II", "III"}, at_field("sums"));
  if (question.sums == "III") options.anova.type = analysis::SumsOfSquares::type_three;
  if (!question.detect.empty()) options.differences.clear();
  for (const std::string& text : question.detect) options.differences.push_back(share_of_mean(text));
  if (question.power <= 1 - question.level) {
    throw InputError(at_field("power"), "the power is not above the chance of a false alarm",
                     "0.8 and 0.9 are usual");
  }
  return options;
}

// `question` gets what a study knows.
CsvTable runs_to_analyze(AnalyzeQuestion& question, const CatalogSource& catalog) {
  if (is_study(question.runs)) return study_runs(question, catalog());
  if (question.study) {
    throw InputError(at_field("study"), "'" + question.runs + "' keeps no study", "leave it out for CSV");
  }
  if (question.response.empty()) {
    throw InputError(at_field("response"), "the column to explain is missing",
                     "name it, as in `response` time_s");
  }
  return CsvTable::read_file(question.runs);
}

}  // namespace

analysis::Analysis analyze(const AnalyzeQuestion& question, const CatalogSource& catalog) {
  const analysis::AnalysisOptions options = analysis_options(question);
  AnalyzeQuestion complete = question;
  const CsvTable runs = runs_to_analyze(complete, catalog);
  return with_place({.file = shown_address(question.runs)}, [&] {
    return analysis::analyze(analysis_table(runs, analysis_request(complete)), options);
  });
}

}  // namespace sextant::ask
