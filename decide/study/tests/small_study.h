// Studies for tests: a space of whole numbers, and whatever the test says.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "sextant/study/run_study.h"
#include "temporary_folder.h"

namespace sextant::study::test {

inline const catalog::Catalog& no_catalog() {
  static const catalog::Catalog catalog = catalog::builtin_catalog();
  return catalog;
}

// `keys` come first, before any table.
inline StudySpec study_of(const TemporaryFolder& folder, const std::string& keys, const std::string& tables) {
  const std::string text =
      keys + "\n[[factor]]\nname = \"x\"\nlow = 1\nhigh = 1000\n\n[[objective]]\nmetric = \"loss\"\n\n" +
      tables;
  return parse_study(text, (folder.path() / "study.toml").string(), no_catalog());
}

inline StudyRunOptions options_in(const TemporaryFolder& folder, const std::string& worker = "test") {
  return {.worker = worker, .scratch = folder.path() / "runs"};
}

// Matches a stored trial.
inline auto in_state(explore::TrialState state) {
  return testing::Field(&StoredTrial::outcome, testing::Field(&explore::TrialOutcome::state, state));
}

}  // namespace sextant::study::test
