#include "sextant/measure/process_state.h"

#include <fstream>
#include <map>
#include <sstream>

#include "sextant/core/text.h"

namespace sextant::measure {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct StatLine {
  char state = 0;
  std::int64_t parent = 0;
};

// "12 (any name) S 1 …": the name may hold blanks and brackets, so the last bracket counts.
StatLine stat_line(std::int64_t pid) {
  const std::string text = contents(fs::path("/proc") / std::to_string(pid) / "stat");
  const std::size_t bracket = text.rfind(')');
  if (bracket == std::string::npos) return {};
  StatLine line;
  std::istringstream(text.substr(bracket + 1)) >> line.state >> line.parent;
  return line;
}

std::vector<std::int64_t> all_processes() {
  std::vector<std::int64_t> all;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    if (const auto pid = to_integer(entry.path().filename().string())) all.push_back(*pid);
  }
  return all;
}

}  // namespace

char process_state(std::int64_t pid) {
  return pid <= 0 ? '\0' : stat_line(pid).state;
}

bool has_word(std::int64_t pid, const std::string& start) {
  const std::string words = contents(fs::path("/proc") / std::to_string(pid) / "cmdline");
  for (const std::string& word : split(words, '\0')) {
    if (word.starts_with(start)) return true;
  }
  return false;
}

std::vector<std::int64_t> descendants(std::int64_t pid) {
  if (pid <= 0) return {};  // everything descends from nothing
  std::multimap<std::int64_t, std::int64_t> children;
  for (const std::int64_t process : all_processes()) children.emplace(stat_line(process).parent, process);
  std::vector<std::int64_t> found = {pid};
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto [begin, end] = children.equal_range(found[i]);
    for (auto it = begin; it != end; ++it) found.push_back(it->second);
  }
  found.erase(found.begin());
  return found;
}

std::int64_t out_of_memory_kills() {
  std::ifstream file("/proc/vmstat");
  std::string name;
  for (std::int64_t value = 0; file >> name >> value;) {
    if (name == "oom_kill") return value;
  }
  return 0;
}

}  // namespace sextant::measure
