// Record files (.sxr): samples of one shape one behind the other, which a disk reads in one go where a folder
// of images costs an open for each. All numbers little-endian.
//
//   0  magic "\x89SXR\r\n\x1a\n"     32  height, u32            64  index, 24 bytes a record:
//   8  version, u32: 1               36  width, u32                 offset u64, bytes u32, label u32,
//  12  encoding, u32: raw-u8, zlib   40  mean, f64                  CRC-32 of the stored bytes u32, 0 u32
//  16  samples, u64                  48  deviation, f64         then the records in order, no gaps
//  24  classes, u32                  56  CRC-32 of the index
//  28  channels, u32                 60  CRC-32 of bytes 0 to 59
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sextant/input/sample_set.h"

namespace sextant::input {

enum class RecordEncoding : std::uint32_t { raw_u8 = 0, zlib_u8 = 1 };

struct RecordHeader {
  RecordEncoding encoding = RecordEncoding::raw_u8;
  std::int64_t samples = 0;
  std::int64_t classes = 0;
  SampleShape shape = {};
  PixelScale scale = {};
};

class FileHandle;

// Safe to read from many threads.
class RecordFile {
 public:
  // Header and index are checked here: InputError with the path for what is damaged, cut off or no record
  // file.
  explicit RecordFile(const std::string& path);
  ~RecordFile();
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  [[nodiscard]] const RecordHeader& header() const { return header_; }
  // Pixels side by side, header().shape.values() of them; gives the label. InputError where the checksum
  // fails.
  std::int64_t read(std::int64_t index, std::span<std::uint8_t> pixels) const;

 private:
  struct Entry {
    std::int64_t offset = 0;
    std::uint32_t bytes = 0;
    std::uint32_t label = 0;
    std::uint32_t crc = 0;
  };
  void read_index(std::uint32_t crc);
  std::unique_ptr<FileHandle> file_;
  RecordHeader header_;
  std::vector<Entry> index_;
};

// Whole or not at all: written beside its place and renamed. Values become pixels by samples.scale(); what
// came from pixels keeps them exactly. SystemError with the path where the disk fails.
void write_record_file(const SampleSet& samples, const std::string& path,
                       RecordEncoding encoding = RecordEncoding::raw_u8);

}  // namespace sextant::input
