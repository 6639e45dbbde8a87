// Whatever the bytes, what is shown is UTF-8 without control characters, and showing or redacting it again
// changes nothing.
#include "sextant/core/visible_text.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sextant/core/secrets.h"
#include "sextant/core/utf8.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const std::string shown = sextant::visible(text);
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; };
  if (!sextant::is_utf8(shown) || std::ranges::any_of(shown, control)) std::abort();
  if (sextant::visible(shown) != shown) std::abort();
  const std::string redacted = sextant::without_passwords(text);
  if (sextant::without_passwords(redacted) != redacted) std::abort();
  return 0;
}
