// Where in the output of a run its metrics stand: the last match of a regular expression (RE2: linear in the
// output, whatever the expression), or a path into JSON. A metric without either is looked for as people
// print it: "loss: 0.25", "loss=0.25", "\"loss\": 0.25".
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "evaluator_settings.h"
#include "sextant/core/json.h"

namespace re2 {
class RE2;
}

namespace sextant::study {

// What was found, or what is wrong with it in words for the trial's message.
struct FoundMetrics {
  std::map<std::string, double> values = {};
  std::string problem = {};
};

class MetricSources {
 public:
  // Settings `pattern` and `json`: a text, which is about the first objective, or a section with a line for
  // each metric. Also objectives and limits that neither names, but for those in `given`.
  MetricSources(EvaluatorSettings& settings, const StudySpec& study, const std::vector<std::string>& given);

  [[nodiscard]] FoundMetrics find(const std::string& output) const;

 private:
  struct Pattern {
    std::string text = {};  // as the study gives it; empty: the usual form
    std::shared_ptr<const re2::RE2> regex = {};
    std::string json = {};  // a path instead
  };
  static std::optional<std::string> last_match(const Pattern& pattern, const std::string& output);

  std::map<std::string, Pattern> patterns_;
};

// Numbers of a JSON document by path: "iteration_s.median", "rows.0.cost".
std::map<std::string, double> json_numbers(const Json& json);
// The number or the text of one at a path; nothing where there is none.
std::optional<std::string> json_at(const Json& json, const std::string& path);
// The whole output, or its last line that is a JSON object or list.
std::optional<Json> json_of_output(const std::string& output);

// End of a run's output, for messages.
std::string output_end(const std::string& output);

}  // namespace sextant::study
