#include "field_words.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "sextant/core/secrets.h"

namespace sextant::cli {
namespace {

constexpr char kQuote = '`';

// "learning_rate" and "NET" as options are spelt: "learning-rate", "net".
std::string spelt_as_option(std::string_view name) {
  std::string text(name);
  for (char& c : text) {
    if (c == '_') c = '-';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

}  // namespace

FieldWords::FieldWords(const Command& running, const std::vector<Option>& globals,
                       const std::vector<Command>& all) {
  for (const Option& option : running.options) add(option);
  for (const Option& option : globals) add(option);
  for (const Command& command : all) {
    for (const Option& option : command.options) {
      if (!option.positional) add(option);
    }
  }
}

// The first option for a field stays.
void FieldWords::add(const Option& option) {
  options_.emplace(spelt_as_option(option.field.empty() ? option.name : option.field), option.typed());
}

std::string FieldWords::say(std::string_view text) const {
  std::string out;
  for (;;) {
    const std::size_t open = text.find(kQuote);
    const std::size_t close = open == std::string_view::npos ? open : text.find(kQuote, open + 1);
    if (close == std::string_view::npos) return out.append(text);
    const auto option = options_.find(spelt_as_option(text.substr(open + 1, close - open - 1)));
    out += text.substr(0, open);
    if (option != options_.end()) {
      out += option->second;
      text.remove_prefix(close + 1);
    } else {
      out += text.substr(open, close - open);  // its end may be the beginning of the next
      text.remove_prefix(close);
    }
  }
}

void FieldWords::note_origins(const std::vector<Option>& options, const std::vector<Setting>& settings) {
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const std::string typed = options[i].typed();
    if (settings[i].origin != kByDefault && settings[i].origin != typed) origins_[typed] = settings[i].origin;
  }
}

std::string FieldWords::place(const std::string& option) const {
  const std::string typed = say(option);
  const auto origin = origins_.find(typed);
  return origin == origins_.end() ? typed : origin->second;
}

std::string said(const Io& io, std::string text) {
  text = without_passwords(std::move(text));
  if (io.words == nullptr || text.find(kQuote) == std::string::npos) return text;
  return io.words->say(text);
}

report::Table all_said(const Io& io, report::Table table) {
  for (std::string& note : table.notes) note = said(io, std::move(note));
  for (report::Mark& mark : table.marks) mark.meaning = said(io, std::move(mark.meaning));
  for (auto& row : table.rows) {
    for (report::Cell& cell : row) {
      if (auto* text = std::get_if<std::string>(&cell.value)) *text = said(io, std::move(*text));
      cell.shown = said(io, std::move(cell.shown));
    }
  }
  return table;
}

Json all_said(const Io& io, Json json) {
  if (json.is_string()) {
    auto& text = json.get_ref<std::string&>();
    text = said(io, std::move(text));
  }
  if (json.is_structured()) {
    for (auto& element : json) element = all_said(io, std::move(element));
  }
  return json;
}

}  // namespace sextant::cli
