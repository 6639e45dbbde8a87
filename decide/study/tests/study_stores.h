// The stores that tests of the contract run over: an SQLite file, and a PostgreSQL that is started once.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "postgres_server.h"
#include "sextant/study/study_store.h"
#include "temporary_folder.h"

namespace sextant::study::test {

class StudyStoresTest : public testing::TestWithParam<std::string> {
 protected:
  static void TearDownTestSuite() { server().reset(); }

  void SetUp() override {
    if (GetParam() == "sqlite") {
      location_ = (folder_.path() / "study.sqlite").string();
      return;
    }
    if (const std::string obstacle = PostgresServer::obstacle(); !obstacle.empty()) GTEST_SKIP() << obstacle;
    if (!server()) server() = std::make_unique<PostgresServer>();
    ASSERT_TRUE(server()->ready()) << server()->logs();
    static int number = 0;
    location_ = server()->url("test" + std::to_string(++number));
  }

  static std::unique_ptr<PostgresServer>& server() {
    static std::unique_ptr<PostgresServer> server;
    return server;
  }

  [[nodiscard]] std::unique_ptr<StudyStore> open(const StudyStoreOptions& options = {}) const {
    auto store = open_study_store(location_, options);
    store->open_study({.name = "study", .text = "text", .identity = "a factor"});
    return store;
  }

  TemporaryFolder folder_;
  std::string location_;
};

inline std::string store_name(const testing::TestParamInfo<std::string>& info) {
  return info.param;
}

}  // namespace sextant::study::test
