#include "placeholders.h"

#include <algorithm>
#include <utility>

#include "sextant/core/plain_number.h"
#include "sextant/core/text.h"

namespace sextant::study {
namespace {

bool is_placeholder(const std::string& text) {
  const std::vector<std::string> parts = split(text, '.');
  return parts.size() <= 2 && std::ranges::all_of(parts, explore::is_expression_name);
}

}  // namespace

std::vector<std::string> placeholder_names(const explore::SearchSpace& space,
                                           const std::vector<std::string>& extras) {
  std::vector<std::string> names = extras;
  for (const explore::SearchFactor& factor : space.factors()) {
    names.push_back(factor.name);
    for (const std::string& feature : factor.features.names) names.push_back(factor.name + "." + feature);
  }
  return names;
}

std::vector<TemplatePiece> template_pieces(const std::string& text, const std::vector<std::string>& known,
                                           const SourcePos& at, Dollar dollar) {
  std::vector<TemplatePiece> pieces;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t close = text[i] == '{' ? text.find('}', i) : std::string::npos;
    const std::string inside = close == std::string::npos ? "" : text.substr(i + 1, close - i - 1);
    const std::size_t bar = inside.find('|');
    const std::string name = inside.substr(0, bar);
    if (close == std::string::npos || !is_placeholder(name)) {
      plain += text[i];
      continue;
    }
    const bool variable = dollar == Dollar::of_a_shell && i > 0 && text[i - 1] == '$';
    const bool is_known = std::ranges::find(known, name) != known.end();
    if (variable && is_known) {
      throw InputError(at, "'${" + name + "}' is a variable of the shell, not the value of '" + name + "'",
                       "write {" + name + "} without the dollar sign");
    }
    if (variable) {
      plain += text[i];
      continue;
    }
    if (!is_known) throw InputError(at, "'{" + name + "}' is no factor", name_hint(name, known));
    if (!plain.empty()) pieces.push_back({std::exchange(plain, "")});
    pieces.push_back({name, true, bar == std::string::npos ? "" : inside.substr(bar + 1)});
    i = close;
  }
  if (!plain.empty() || pieces.empty()) pieces.push_back({plain});
  return pieces;
}

std::optional<std::string> placeholder_value(const explore::SearchSpace& space,
                                             const explore::Configuration& configuration,
                                             const std::string& name) {
  const std::optional<explore::ExpressionValue> value = space.named_value(configuration, name);
  if (!value) return std::nullopt;
  const double* number = std::get_if<double>(&*value);
  return number != nullptr ? plain_number_text(*number) : std::get<std::string>(*value);
}

}  // namespace sextant::study
