#include "sextant/core/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace sextant {
namespace {

// Beyond this many names, listing them all hides the message.
constexpr std::size_t kShortList = 12;
// Fewer letters are part of too many names.
constexpr std::size_t kLeastPart = 3;
constexpr std::size_t kNamedWholes = 3;
// Longer than any name; keeps the quadratic distance cheap on hostile input.
constexpr std::size_t kLongestName = 80;

template <class Number>
std::optional<Number> parse_whole(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  Number value{};
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Optimal string alignment distance (Damerau 1964, restricted): one row per letter of `a`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

// "p4d" of "aws/p4d.24xlarge".
std::string whole_names_hint(std::string_view part, std::span<const std::string> known) {
  const std::string wanted = fold_name(part);
  if (wanted.size() < kLeastPart) return {};
  std::vector<std::string> wholes;
  for (const auto& name : known) {
    if (fold_name(name).find(wanted) != std::string::npos) wholes.push_back(name);
  }
  // The longest name of a thing holds the shorter ones.
  const std::vector<std::string> found = wholes;
  std::erase_if(wholes, [&found](const std::string& name) {
    return std::ranges::any_of(found,
                               [&name](const std::string& longer) { return longer.ends_with("/" + name); });
  });
  for (std::string& name : wholes) name = "'" + name + "'";
  if (wholes.empty()) return {};
  const std::size_t others = wholes.size() - std::min(wholes.size(), kNamedWholes);
  wholes.resize(wholes.size() - others);
  return "did you mean " + join(wholes, " or ") +
         (others > 0 ? ", or one of " + std::to_string(others) + " more?" : "?");
}

}  // namespace

std::optional<double> to_number(std::string_view text) {
  return parse_whole<double>(text);
}
std::optional<std::int64_t> to_integer(std::string_view text) {
  return parse_whole<std::int64_t>(text);
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const auto at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string joined;
  for (const auto& part : parts) {
    if (&part != parts.data()) joined += separator;
    joined += part;
  }
  return joined;
}

std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

std::string fold_name(std::string_view name) {
  std::string folded = to_lower(trim(name));
  std::ranges::replace_if(
      folded, [](char c) { return c == '_' || c == ' '; }, '-');
  return folded;
}

namespace {

// Letters that are typed for digits.
std::string look_alike(std::string text) {
  for (char& c : text) {
    if (c == 'o') c = '0';
    if (c == 'l' || c == 'i') c = '1';
  }
  return text;
}

// One slip of look-alikes, however often it was made.
std::size_t slips(const std::string& wanted, const std::string& candidate) {
  return look_alike(wanted) == look_alike(candidate) ? 1 : edit_distance(wanted, candidate);
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string> known) {
  const std::string wanted = fold_name(name.substr(0, kLongestName));
  std::size_t best = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  std::optional<std::string> nearest;
  for (const auto& candidate : known) {
    if (candidate.size() > kLongestName) continue;
    const std::size_t distance = slips(wanted, fold_name(candidate));
    if (distance >= best) continue;
    best = distance;
    nearest = candidate;
  }
  return nearest;
}

std::string name_hint(std::string_view name, std::span<const std::string> known) {
  if (const auto nearest = nearest_name(name, known)) return "did you mean '" + *nearest + "'?";
  if (known.empty()) return {};
  if (known.size() > kShortList) return whole_names_hint(name, known);
  return "one of: " + join(known, ", ");
}

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";  // std::to_chars may print a sign
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

}  // namespace sextant
