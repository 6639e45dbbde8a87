#include "sextant/ask/spans.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "known_text.h"
#include "sextant/core/csv.h"
#include "sextant/core/text.h"

namespace sextant::ask {
namespace {

spans::WhatIf what_if_of(const std::string& text) {
  const SourcePos at = at_field("what_if");
  const auto parts = split(text, '=');
  const std::optional<double> factor = parts.size() == 2 ? to_number(parts[1]) : std::nullopt;
  const bool gone = parts.size() == 2 && parts[1] == "inf";
  if (parts.size() != 2 || parts[0].empty() || (!gone && (!factor || !(*factor > 0)))) {
    throw InputError(at, "'" + text + "' is no question",
                     "as in communication=2, or input=inf for no time at all");
  }
  return {.phase = parts[0], .factor = gone ? std::numeric_limits<double>::infinity() : *factor};
}

}  // namespace

spans::SpanAnalysis analyze_spans(const SpansQuestion& question) {
  spans::SpanQuestions questions{.skip = question.skip};
  for (const std::string& text : question.what_if) questions.what_if.push_back(what_if_of(text));
  return spans::analyze_spans(spans::read_spans(read_text_file(question.file), question.file), questions);
}

Json convert_spans(const SpansConvertQuestion& question) {
  refuse_unknown(question.to, {"perfetto", "otlp"}, at_field("to"));
  const spans::SpanSet spans = spans::read_spans(read_text_file(question.file), question.file);
  return question.to == "otlp" ? to_otlp(spans) : to_perfetto(spans);
}

}  // namespace sextant::ask
