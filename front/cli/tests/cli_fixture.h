// Runs the program without a process, in an empty folder of its own, so that no sextant.toml of the
// caller counts.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "sextant/cli/run.h"

namespace sextant::cli::test {

struct Outcome {
  int code;
  std::string out;
  std::string err;
};

// What the program writes to.
struct Terminal {
  int width = 0;                // of both streams; 0: pipes
  bool somebody_waits = false;  // at a terminal, for what is written to stderr
  std::function<void(const report::Result&)> take = {};
};

inline Outcome sextant_run(const std::vector<std::string>& arguments, const Terminal& terminal = {}) {
  std::ostringstream out;
  std::ostringstream err;
  Io io{out, err};
  io.program = SEXTANT_BINARY_DIR "/sextant";
  io.width = io.err_width = terminal.width;
  io.err_is_terminal = terminal.somebody_waits;
  io.take = terminal.take;
  const int code = run(arguments, io);
  return {code, out.str(), err.str()};
}

class CliFixture : public testing::Test {
 protected:
  void SetUp() override {
    old_ = std::filesystem::current_path();
    std::string pattern = (std::filesystem::temp_directory_path() / "sextant-cli-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
    std::filesystem::current_path(folder_);
    setenv("SEXTANT_HOME", (folder_ / "no-home").c_str(), 1);
  }
  void TearDown() override {
    std::filesystem::current_path(old_);
    std::filesystem::remove_all(folder_);
  }
  static void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }
  static std::string read(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // Names in the folder, hidden ones too.
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      names.push_back(entry.path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }

 private:
  std::filesystem::path old_;
  std::filesystem::path folder_;
};

}  // namespace sextant::cli::test
