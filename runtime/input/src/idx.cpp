#include "sextant/input/idx.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>

#include "file_bytes.h"
#include "sextant/core/error.h"

namespace sextant::input {
namespace {

constexpr std::int64_t kMaxBytes = std::int64_t{1} << 32;
constexpr std::size_t kMaxDims = 8;

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw InputError(SourcePos{.file = file}, what, "an IDX file of unsigned bytes, plain or packed by gzip");
}

// Bytes in the order of the file, unpacked if they are packed.
class ByteReader {
 public:
  ByteReader(std::span<const std::uint8_t> bytes, const std::string& file) : bytes_(bytes), file_(file) {
    packed_ = bytes.size() >= 2 && bytes[0] == 0x1f && bytes[1] == 0x8b;
    if (!packed_) return;
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw SystemError(file + ": zlib does not start");
    open_.reset(&stream_);
  }

  void read(std::span<std::uint8_t> out) {
    if (packed_) return unpack(out);
    if (bytes_.size() < out.size()) refuse(file_, "the file ends early");
    std::copy_n(bytes_.begin(), out.size(), out.begin());
    bytes_ = bytes_.subspan(out.size());
  }

  // A deflated byte stands for at most 1032; zlib itself may hold a few that it has taken already.
  [[nodiscard]] bool can_hold(std::int64_t more) const {
    const auto left = static_cast<std::int64_t>(bytes_.size());
    return more <= (packed_ ? 1032 * (left + std::int64_t{stream_.avail_in} + 16) : left);
  }

  // Nothing may follow; for a packed file also: the checksum holds.
  void expect_end() {
    if (!packed_) {
      if (!bytes_.empty()) refuse(file_, "bytes follow the last element");
      return;
    }
    std::uint8_t extra = 0;
    stream_.next_out = &extra;
    stream_.avail_out = 1;
    feed();
    const int status = inflate(&stream_, Z_FINISH);
    if (stream_.avail_out == 0) refuse(file_, "bytes follow the last element");
    if (status != Z_STREAM_END) refuse(file_, "the file is cut off or damaged: its checksum does not hold");
  }

 private:
  struct End {
    void operator()(z_stream* stream) const { inflateEnd(stream); }
  };

  // zlib counts in 32 bits.
  void feed() {
    if (stream_.avail_in > 0 || bytes_.empty()) return;
    const std::size_t part = std::min<std::size_t>(bytes_.size(), 1U << 30U);
    stream_.next_in = const_cast<Bytef*>(bytes_.data());  // zlib's old signature; it only reads
    stream_.avail_in = static_cast<uInt>(part);
    bytes_ = bytes_.subspan(part);
  }

  void unpack(std::span<std::uint8_t> out) {
    while (!out.empty()) {
      feed();
      const std::size_t part = std::min<std::size_t>(out.size(), 1U << 30U);
      stream_.next_out = out.data();
      stream_.avail_out = static_cast<uInt>(part);
      const int status = inflate(&stream_, Z_NO_FLUSH);
      const std::size_t made = part - stream_.avail_out;
      if (made == 0 && status != Z_OK) refuse(file_, "the file is cut off or damaged");
      out = out.subspan(made);
    }
  }

  std::span<const std::uint8_t> bytes_;
  const std::string& file_;
  bool packed_ = false;
  z_stream stream_{};
  std::unique_ptr<z_stream, End> open_;
};

std::int64_t big_endian(std::span<const std::uint8_t, 4> b) {
  return (std::int64_t{b[0]} << 24U) | (std::int64_t{b[1]} << 16U) | (std::int64_t{b[2]} << 8U) |
         std::int64_t{b[3]};
}

}  // namespace

IdxArray parse_idx(std::span<const std::uint8_t> bytes, const std::string& file) {
  ByteReader reader(bytes, file);
  std::array<std::uint8_t, 4> word{};
  reader.read(word);
  if (word[0] != 0 || word[1] != 0) refuse(file, "this is not an IDX file");
  if (word[2] != 8) refuse(file, "elements are not unsigned bytes");
  if (word[3] == 0 || word[3] > kMaxDims) {
    refuse(file, "an array of " + std::to_string(word[3]) + " dimensions");
  }
  IdxArray array;
  const int dims = word[3];
  std::int64_t total = 1;
  for (int i = 0; i < dims; ++i) {
    reader.read(word);
    array.dims.push_back(big_endian(word));
    if (array.dims.back() == 0) refuse(file, "a dimension is zero");
    if (total > kMaxBytes / array.dims.back()) refuse(file, "more than 4 GiB of elements");
    total *= array.dims.back();
  }
  if (!reader.can_hold(total)) refuse(file, "the file is too short for its dimensions");
  array.values.resize(static_cast<std::size_t>(total));
  reader.read(array.values);
  reader.expect_end();
  return array;
}

IdxArray read_idx(const std::string& path) {
  return parse_idx(read_file_bytes(path, kMaxBytes), path);
}

}  // namespace sextant::input
