#include "sextant/spans/span.h"
#include "span_ids.h"

namespace sextant::spans {
namespace {

constexpr std::size_t kLength = 55;  // of version 00: 2 + 1 + 32 + 1 + 16 + 1 + 2
constexpr const char* kForm = "00-<32 hex>-<16 hex>-<2 hex>, lower case";

// A field of the header, with the place of its first character for messages.
class TraceparentReader {
 public:
  TraceparentReader(std::string_view text, const SourcePos& at) : text_(text), at_(at) {}

  [[noreturn]] void fail(std::size_t offset, const std::string& what, const std::string& hint = kForm) const {
    SourcePos at = at_;
    if (at.line > 0) at.column += static_cast<int>(offset);
    throw InputError(at, "traceparent: " + what, hint);
  }

  // Upper case is invalid, not merely unusual: receivers must ignore the header.
  [[nodiscard]] std::uint64_t hex(std::size_t offset, std::size_t digits) const {
    std::uint64_t value = 0;
    for (std::size_t i = offset; i < offset + digits; ++i) {
      const char c = text_[i];
      const bool digit = c >= '0' && c <= '9';
      if (!digit && (c < 'a' || c > 'f')) fail(i, "a character that is no lower-case hexadecimal digit");
      value = value << 4 | static_cast<std::uint64_t>(digit ? c - '0' : c - 'a' + 10);
    }
    return value;
  }

  void dash(std::size_t offset) const {
    if (text_[offset] != '-') fail(offset, "'-' expected");
  }

 private:
  std::string_view text_;
  const SourcePos& at_;
};

}  // namespace

std::string traceparent(const TraceContext& context) {
  return "00-" + hex_text(context.trace) + "-" + hex_text(context.span) + (context.sampled ? "-01" : "-00");
}

TraceContext parse_traceparent(std::string_view text, const SourcePos& at) {
  const TraceparentReader read(text, at);
  if (text.size() < kLength)
    read.fail(text.size(), "ends after " + std::to_string(text.size()) + " characters");
  const std::uint64_t version = read.hex(0, 2);
  if (version == 0xff) read.fail(0, "version ff is invalid");
  if (version == 0 && text.size() > kLength) read.fail(kLength, "more than 55 characters");
  // A later version keeps these fields and may add more behind another dash.
  if (text.size() > kLength) read.dash(kLength);
  for (const std::size_t place : {std::size_t{2}, std::size_t{35}, std::size_t{52}}) read.dash(place);

  TraceContext context;
  context.trace.high = read.hex(3, 16);
  context.trace.low = read.hex(19, 16);
  context.span = read.hex(36, 16);
  context.sampled = (read.hex(53, 2) & 1) != 0;
  if (context.trace == TraceId{}) read.fail(3, "a trace id of zeros", "ids of zeros mean that there is none");
  if (context.span == 0) read.fail(36, "a span id of zeros", "ids of zeros mean that there is none");
  return context;
}

}  // namespace sextant::spans
