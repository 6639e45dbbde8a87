// Runs a fuzz target over every file of its corpus, so that ordinary and sanitizer test runs see each input
// that once mattered, without a fuzzing engine. cmake/modules.cmake makes one program of all targets of a
// module.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>

namespace sextant::test {

using FuzzTarget = int (*)(const std::uint8_t* data, std::size_t size);

inline int replay_corpus(const std::map<std::string, FuzzTarget>& targets, int argc, char** argv) {
  const std::filesystem::path folder = argc == 2 ? argv[1] : "";
  const auto target = targets.find(folder.filename().string());
  if (target == targets.end() || !std::filesystem::is_directory(folder)) {
    std::cerr << "usage: replay CORPUS_FOLDER, named after its target\n";
    return 2;
  }
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::cout << entry.path().filename().string()
              << std::endl;  // the last one is the one that ended the program
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(in)), {});
    target->second(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    ++files;
  }
  std::cout << files << " inputs replayed\n";
  return files > 0 ? 0 : 1;
}

}  // namespace sextant::test
