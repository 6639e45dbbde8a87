// Settings of an evaluator, read one by one; what nobody asked for is refused with a hint.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "sextant/study/study_file.h"

namespace sextant::study {

class EvaluatorSettings {
 public:
  explicit EvaluatorSettings(const EvaluatorSpec& spec) : spec_(spec) {}

  [[nodiscard]] std::string text(const std::string& key);  // InputError where it is missing
  [[nodiscard]] std::optional<std::string> maybe_text(const std::string& key);
  [[nodiscard]] bool boolean(const std::string& key);  // false where it is missing
  [[nodiscard]] std::int64_t integer(const std::string& key, std::int64_t fallback);
  // Names and values below a key; "" for the key itself.
  [[nodiscard]] std::map<std::string, std::string> section(const std::string& key);
  [[nodiscard]] SourcePos where(const std::string& key) const;
  // A path of a setting: relative ones start at the study file.
  [[nodiscard]] std::string path(const std::string& text) const;
  void finish() const;

 private:
  const EvaluatorSpec& spec_;
  std::set<std::string> read_;
};

}  // namespace sextant::study
