// Measured data that is not part of the repository. Tests that need it look in SEXTANT_DATA
// (default: ../shared/data beside the repository) and are skipped, visibly, where it is absent.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace sextant::test {

inline std::optional<std::string> shared_data(const std::string& relative) {
  const char* set = std::getenv("SEXTANT_DATA");
  const std::filesystem::path root = set != nullptr
                                         ? std::filesystem::path(set)
                                         : std::filesystem::path(SEXTANT_SOURCE_DIR) / "../shared/data";
  const auto path = root / relative;
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path.string();
}

}  // namespace sextant::test

#define SEXTANT_NEEDS_DATA(variable, relative)                                            \
  const auto variable##_found = sextant::test::shared_data(relative);                     \
  if (!variable##_found) GTEST_SKIP() << "needs " << (relative) << " below SEXTANT_DATA"; \
  const std::string variable = *variable##_found
