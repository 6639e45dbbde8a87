#include "sextant/ask/spans.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "known_text.h"
#include "sextant/core/csv.h"
#include "sextant/core/error_place.h"
#include "sextant/core/text.h"

namespace sextant::ask {
namespace {

spans::WhatIf what_if_of(const std::string& text) {
  const SourcePos at = at_field("what_if");
  const auto parts = split(text, '=');
  const std::optional<double> factor = parts.size() == 2 ? to_number(parts[1]) : std::nullopt;
  const bool gone = parts.size() == 2 && parts[1] == "inf";
  if (parts.size() != 2 || parts[0].empty() || (!gone && (!factor || !(*factor > 0)))) {
    throw InputError(at, "'" + text + "' is not a phase and how many times as fast it gets",
                     "write communication=2, or input=inf for a phase that takes no time");
  }
  return {.phase = parts[0], .factor = gone ? std::numeric_limits<double>::infinity() : *factor};
}

spans::SpanSet read_files(const std::vector<std::string>& files) {
  if (files.empty()) throw InputError(at_field("file"), "no file is named");
  std::vector<spans::RankFile> ranks;
  for (const std::string& file : files)
    ranks.push_back({file, spans::read_spans(read_text_file(file), file, std::ssize(ranks))});
  if (ranks.size() == 1) return std::move(ranks.front().set);
  return join_ranks(std::move(ranks));
}

SpansAnswer analysis_of(const spans::SpanSet& set, const SpansQuestion& question,
                        const spans::SpanQuestions& questions) {
  if (!is_profile(set)) return spans::analyze_spans(set, questions);
  if (!question.what_if.empty()) {
    throw InputError(at_field("what_if"), "a recording of a profiler has operators, and no phases to change",
                     "what-if questions are answered from the spans that `sextant measure` writes");
  }
  return analyze_profile(set, question.skip);
}

}  // namespace

SpansAnswer analyze_spans(const SpansQuestion& question) {
  spans::SpanQuestions questions{.skip = question.skip};
  for (const std::string& text : question.what_if) questions.what_if.push_back(what_if_of(text));
  const spans::SpanSet set = read_files(question.file);
  return with_place({.file = question.file.front()}, [&] { return analysis_of(set, question, questions); });
}

Json convert_spans(const SpansConvertQuestion& question) {
  refuse_unknown(question.to, {"perfetto", "otlp"}, at_field("to"));
  const spans::SpanSet spans = read_files(question.file);
  return question.to == "otlp" ? to_otlp(spans) : to_perfetto(spans);
}

}  // namespace sextant::ask
