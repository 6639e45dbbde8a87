#include "svg_text.h"

#include <algorithm>

#include "sextant/core/visible_text.h"
#include "sextant/report/text_wrap.h"

namespace sextant::report::svg {
namespace {

// Of the font's size, a little more than measured.
constexpr double kNarrow = 0.36;
constexpr double kSlim = 0.44;
constexpr double kUsual = 0.67;
constexpr double kBroad = 0.85;
constexpr double kBroadest = 1.05;

constexpr std::size_t kLongestLine = 48;  // characters of a name

double letter_width(unsigned char c) {
  constexpr std::string_view kNarrowLetters = " ijlI.,:;'|!/";
  constexpr std::string_view kSlimLetters = "tfr-()[]";
  constexpr std::string_view kBroadLetters = "ABDGHKNOQRUVXYw";
  constexpr std::string_view kBroadestLetters = "mMW%@";
  const auto among = [c](std::string_view letters) {
    return letters.find(static_cast<char>(c)) < letters.size();
  };
  if (among(kNarrowLetters)) return kNarrow;
  if (among(kSlimLetters)) return kSlim;
  if (among(kBroadLetters)) return kBroad;
  // Beyond ASCII there are letters as broad as they are high.
  return among(kBroadestLetters) || c >= 0xC0 ? kBroadest : kUsual;
}

}  // namespace

double text_width(std::string_view text, double font_size) {
  double sum = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xC0U) != 0x80U) sum += letter_width(byte);
  }
  return sum * font_size;
}

std::string shortened(const std::string& name, std::size_t most) {
  std::vector<std::size_t> begins;  // of characters
  for (std::size_t i = 0; i < name.size(); ++i) {
    if ((static_cast<unsigned char>(name[i]) & 0xC0U) != 0x80U) begins.push_back(i);
  }
  if (begins.size() <= most || most < 3) return name;
  const std::size_t tail = (most - 1) / 2;
  const std::size_t head = most - 1 - tail;
  return name.substr(0, begins[head]) + "\u2026" + name.substr(begins[begins.size() - tail]);
}

std::string shortened_to(const std::string& text, double font_size, double width) {
  std::string out = text;
  for (std::size_t most = display_width(text); most > 3 && text_width(out, font_size) > width; --most) {
    out = shortened(text, most - 1);
  }
  return out;
}

NameList::NameList(std::span<const std::string> names, double font_size) : font_size_(font_size) {
  for (const std::string& name : names) {
    names_.push_back(wrapped(visible(name), {.width = kLongestLine, .hanging = 2, .break_words = true}));
  }
}

double NameList::wide() const {
  double widest = 0;
  for (const auto& lines : names_) {
    for (const std::string& line : lines) widest = std::max(widest, text_width(line, font_size_));
  }
  return widest;
}

double NameList::line_high() const {
  return 1.5 * font_size_;
}

double NameList::high() const {
  std::size_t lines = 0;
  for (const auto& name : names_) lines += name.size();
  return line_high() * static_cast<double>(lines);
}

std::string NameList::drawn(Point at, const std::function<std::string(std::size_t, double)>& sample) const {
  const std::string style = "font-size=\"" + px(font_size_) + "\"";
  std::string out;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    out += sample(i, at.y);
    for (const std::string& line : names_[i]) {
      out += text_at(at, line, style);
      at.y += line_high();
    }
  }
  return out;
}

}  // namespace sextant::report::svg
