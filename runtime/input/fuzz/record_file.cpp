// Whatever the bytes, a record file is opened and every record read or refused. Checksums would stop almost
// every input at once, so those of header and index are mended first.
#include "sextant/input/record_file.h"

#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "sextant/core/error.h"

namespace {

std::uint64_t little(const std::vector<std::uint8_t>& bytes, std::size_t at, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value |= std::uint64_t{bytes[at + i]} << (8 * i);
  return value;
}

void put_crc(std::vector<std::uint8_t>& bytes, std::size_t at, std::size_t from, std::size_t count) {
  const auto crc = crc32_z(0, &bytes[from], count);
  for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::uint8_t>(crc >> (8 * i));
}

void mend(std::vector<std::uint8_t>& bytes) {
  if (bytes.size() < 64) return;
  const std::uint64_t samples = little(bytes, 16, 8);
  if (samples >= 1 && samples <= (bytes.size() - 64) / 24) put_crc(bytes, 56, 64, samples * 24);
  put_crc(bytes, 60, 0, 60);
}

void read_all(const std::string& path) {
  try {
    const sextant::input::RecordFile file(path);
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(file.header().shape.values()));
    const std::int64_t count = std::min<std::int64_t>(file.header().samples, 100);
    for (std::int64_t i = 0; i < count; ++i) {
      try {
        const std::int64_t label = file.read(i, pixels);
        if (label < 0 || label >= file.header().classes) std::abort();
      } catch (const sextant::InputError&) {
      }
    }
  } catch (const sextant::InputError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::uint8_t> bytes(data, data + size);
  for (const bool mended : {false, true}) {
    if (mended) mend(bytes);
    const int file = memfd_create("record", MFD_CLOEXEC);
    if (file < 0) std::abort();
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written != static_cast<ssize_t>(bytes.size())) std::abort();
    read_all("/proc/self/fd/" + std::to_string(file));
    close(file);
  }
  return 0;
}
