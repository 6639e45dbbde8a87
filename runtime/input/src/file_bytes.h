// Files as bytes. Reading images one by one, a stream's buffering costs more than the system call.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sextant::input {

// An open file that is closed with the object. InputError if there is none; SystemError for other reasons.
class FileHandle {
 public:
  explicit FileHandle(const std::string& path);
  ~FileHandle();
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;
  [[nodiscard]] std::int64_t size() const { return size_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  // Exactly `count` bytes from `offset`; safe to call from many threads. InputError if the file ends before.
  void read(std::int64_t offset, std::uint8_t* out, std::size_t count) const;

 private:
  std::string path_;
  int file_ = -1;
  std::int64_t size_ = 0;
};

// The whole file; InputError for one above `limit` bytes.
std::vector<std::uint8_t> read_file_bytes(const std::string& path, std::int64_t limit);

}  // namespace sextant::input
