// Any bytes as a file of records: they are read or refused with an InputError.
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "sextant/core/error.h"
#include "sextant/records/record_store.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path =
      (std::filesystem::temp_directory_path() / ("sextant-fuzz-" + std::to_string(getpid()) + ".db"))
          .string();
  std::ofstream(path, std::ios::binary) << std::string(reinterpret_cast<const char*>(data), size);
  try {
    const auto store = sextant::records::RecordStore::open(path);
    (void)store.faults();
    (void)store.read({.since = "2024"});
  } catch (const sextant::InputError&) {
  }
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(path + suffix);
  return 0;
}
