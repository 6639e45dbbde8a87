// A file that appears whole or not at all: written without a name or under one of its own in the same folder,
// synced, and then put in its place, so that a run that fails, is killed or loses power leaves what was
// there.
//
// What a killed run leaves, if anything, is a hidden file (.NAME.sextant-….part) that the next run for the
// same place removes: it is locked as long as its writer lives.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace sextant {

// Closes on destruction.
class OpenFile {
 public:
  explicit OpenFile(int descriptor = -1) : descriptor_(descriptor) {}
  ~OpenFile();
  OpenFile(OpenFile&& other) noexcept;
  OpenFile& operator=(OpenFile&& other) noexcept;

  [[nodiscard]] int get() const { return descriptor_; }
  [[nodiscard]] bool open() const { return descriptor_ >= 0; }
  int close();  // the error number, 0 when all is well

 private:
  int descriptor_;
};

class WholeFile {
 public:
  // Opens at once, so that a place where nothing can be written is known before the work begins. A link is
  // followed to the file that it names, which is replaced; not one that a stranger made in a folder that all
  // may write to. A device or a pipe is written in place. InputError: an empty name, a folder, or a folder
  // that does not exist. SystemError: no permission.
  explicit WholeFile(const std::string& path);
  ~WholeFile();  // without commit(): nothing is left of what was written
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  std::ostream& stream() { return stream_; }
  void write_at(std::string_view bytes, std::int64_t offset);
  // SystemError when not everything could be written.
  void commit();

 private:
  class Buffer final : public std::streambuf {
   public:
    void begin(int descriptor);
    [[nodiscard]] int error() const { return error_; }

   protected:
    int_type overflow(int_type c) override;
    int sync() override;

   private:
    int descriptor_ = -1;
    int error_ = 0;  // of the first write that failed
    std::vector<char> room_;
  };

  void open_in_place();
  void open_beside();
  void give_name();
  void take_place();
  [[noreturn]] void fail(int reason) const;

  std::string path_;       // as it was asked for, for messages
  std::string name_;       // in folder_
  std::string temporary_;  // in folder_; empty: the file has no name yet, or is written in place
  bool in_place_ = false;
  OpenFile folder_;
  OpenFile file_;
  Buffer buffer_;
  std::ostream stream_{&buffer_};
};

}  // namespace sextant
