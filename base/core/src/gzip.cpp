#include "sextant/core/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "sextant/core/csv.h"
#include "sextant/core/error.h"

namespace sextant {
namespace {

constexpr std::size_t kMostBytes = std::size_t{4} << 30;
constexpr std::size_t kPiece = std::size_t{1} << 18;
constexpr int kGzip = 15 + 16;  // zlib: the largest window, and gzip's header

struct EndInflate {
  void operator()(z_stream* stream) const { inflateEnd(stream); }
};

[[noreturn]] void refuse_packed(const std::string& file_name, const std::string& what) {
  throw InputError(SourcePos{.file = file_name}, what, "unpack it with gunzip, which says more");
}

}  // namespace

bool is_gzip(const std::string& bytes) {
  return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

std::string unpack_gzip(const std::string& bytes, const std::string& file_name) {
  z_stream stream{};
  if (inflateInit2(&stream, kGzip) != Z_OK) throw SystemError(file_name + ": zlib does not start");
  const std::unique_ptr<z_stream, EndInflate> open(&stream);
  std::string text;
  std::vector<char> piece(kPiece);
  std::size_t taken = 0;
  int status = Z_OK;
  while (true) {
    if (stream.avail_in == 0 && taken < bytes.size()) {  // zlib counts in 32 bits
      const std::size_t part = std::min<std::size_t>(bytes.size() - taken, std::size_t{1} << 30);
      // zlib's old signature; it only reads.
      stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data() + taken));
      stream.avail_in = static_cast<uInt>(part);
      taken += part;
    }
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    status = inflate(&stream, Z_NO_FLUSH);
    const std::size_t made = piece.size() - stream.avail_out;
    if (made > kMostBytes - text.size()) refuse_packed(file_name, "the file unpacks to more than 4 GB");
    text.append(piece.data(), made);
    if (status == Z_STREAM_END && stream.avail_in == 0 && taken == bytes.size()) return text;
    if (status == Z_STREAM_END) {  // files may be packed one behind the other
      if (inflateReset(&stream) != Z_OK) refuse_packed(file_name, "the file is damaged");
    } else if (status == Z_BUF_ERROR && made == 0) {
      refuse_packed(file_name, "the packed file is cut off");
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      refuse_packed(file_name,
                    "the packed file is damaged at byte " + std::to_string(taken - stream.avail_in));
    }
  }
}

std::string read_maybe_packed_file(const std::string& path) {
  std::string text = read_text_file(path);
  return is_gzip(text) ? unpack_gzip(text, path) : text;
}

}  // namespace sextant
