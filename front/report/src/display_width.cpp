// Columns of a terminal, by the property East_Asian_Width of the Unicode standard (annex 11): wide and
// fullwidth letters take two, marks that stand on the letter before them none, all others one.
#include <algorithm>
#include <cstdint>
#include <iterator>

#include "sextant/core/utf8.h"
#include "sextant/report/text_wrap.h"

namespace sextant::report {
namespace {

struct LetterRange {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
};

// Sorted: Hangul, pictures of the first plane, then the blocks of Chinese, Japanese, Korean and Yi with their
// punctuation and fullwidth forms, Tangut and Kana of the second plane, its pictures, and the ideographs of
// planes 2 and 3. Pictures that are shown as letters unless a selector follows are not here.
constexpr LetterRange kTwoColumns[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x23F0, 0x23F0},
    {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x267F, 0x267F},
    {0x2693, 0x2693},   {0x26A1, 0x26A1},   {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},
    {0x26CE, 0x26CE},   {0x26D4, 0x26D4},   {0x26EA, 0x26EA},   {0x26F2, 0x26F3},   {0x26F5, 0x26F5},
    {0x26FA, 0x26FA},   {0x26FD, 0x26FD},   {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},
    {0x274C, 0x274C},   {0x274E, 0x274E},   {0x2753, 0x2755},   {0x2757, 0x2757},   {0x2795, 0x2797},
    {0x27B0, 0x27B0},   {0x27BF, 0x27BF},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},
    {0x2E80, 0x303E},   {0x3041, 0x3247},   {0x3250, 0x4DBF},   {0x4E00, 0xA4CF},   {0xA960, 0xA97C},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE10, 0xFE19},   {0xFE30, 0xFE6B},   {0xFF01, 0xFF60},
    {0xFFE0, 0xFFE6},   {0x16FE0, 0x18CD5}, {0x1AFF0, 0x1B2FB}, {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF},
    {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F335}, {0x1F337, 0x1F37C},
    {0x1F37E, 0x1F393}, {0x1F3A0, 0x1F3CA}, {0x1F3CF, 0x1F3D3}, {0x1F3E0, 0x1F3F0}, {0x1F3F4, 0x1F3F4},
    {0x1F3F8, 0x1F43E}, {0x1F440, 0x1F440}, {0x1F442, 0x1F4FC}, {0x1F4FF, 0x1F53D}, {0x1F54B, 0x1F54E},
    {0x1F550, 0x1F567}, {0x1F57A, 0x1F57A}, {0x1F595, 0x1F596}, {0x1F5A4, 0x1F5A4}, {0x1F5FB, 0x1F64F},
    {0x1F680, 0x1F6C5}, {0x1F6CC, 0x1F6CC}, {0x1F6D0, 0x1F6D2}, {0x1F6D5, 0x1F6DF}, {0x1F6EB, 0x1F6EC},
    {0x1F6F4, 0x1F6FC}, {0x1F7E0, 0x1F7F0}, {0x1F90C, 0x1F93A}, {0x1F93C, 0x1F945}, {0x1F947, 0x1F9FF},
    {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD}};

// Sorted: accents, marks of Cyrillic, Hebrew, Arabic, Devanagari and Thai, vowels of Hangul that join the
// consonant before them, more accents, joiners, marks of symbols, tone and voice marks of Kana, selectors.
constexpr LetterRange kNoColumn[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x05BF, 0x05BF}, {0x05C1, 0x05C2},
    {0x05C4, 0x05C5}, {0x05C7, 0x05C7}, {0x0610, 0x061A}, {0x064B, 0x065F}, {0x0670, 0x0670},
    {0x06D6, 0x06DC}, {0x06DF, 0x06E4}, {0x093C, 0x093C}, {0x0941, 0x0948}, {0x094D, 0x094D},
    {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1160, 0x11FF}, {0x1AB0, 0x1ACE},
    {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x2060, 0x2064}, {0x20D0, 0x20F0}, {0x302A, 0x302D},
    {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF}};

template <std::size_t Count>
bool in_ranges(const LetterRange (&ranges)[Count], std::uint32_t letter) {
  const auto* after = std::ranges::upper_bound(ranges, letter, {}, &LetterRange::first);
  return after != std::begin(ranges) && letter <= std::prev(after)->last;
}

// Of well-formed UTF-8 of that many bytes.
std::uint32_t code_point(std::string_view letter) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(letter[i]); };
  constexpr unsigned kFirstBits[] = {0x7F, 0x1F, 0x0F, 0x07};
  std::uint32_t code = byte(0) & kFirstBits[letter.size() - 1];
  for (std::size_t i = 1; i < letter.size(); ++i) code = code << 6U | (byte(i) & 0x3FU);
  return code;
}

std::size_t letter_columns(std::string_view letter) {
  if (letter.size() == 1) return 1;
  const std::uint32_t code = code_point(letter);
  if (in_ranges(kNoColumn, code)) return 0;
  return in_ranges(kTwoColumns, code) ? 2 : 1;
}

// Bytes that are no text count as one letter each.
std::string_view first_letter(std::string_view text) {
  return text.substr(0, std::max<std::size_t>(utf8_length(text), 1));
}

}  // namespace

std::size_t display_width(std::string_view utf8) {
  std::size_t columns = 0;
  while (!utf8.empty()) {
    const std::string_view letter = first_letter(utf8);
    columns += letter_columns(letter);
    utf8.remove_prefix(letter.size());
  }
  return columns;
}

std::string_view within_columns(std::string_view utf8, std::size_t columns) {
  std::size_t used = 0;
  std::size_t at = 0;
  while (at < utf8.size()) {
    const std::string_view letter = first_letter(utf8.substr(at));
    used += letter_columns(letter);
    if (used > columns) break;
    at += letter.size();
  }
  return utf8.substr(0, at);
}

}  // namespace sextant::report
