#include "sextant/cli/io.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <ostream>

#include "field_words.h"
#include "sextant/core/csv.h"
#include "sextant/core/provenance.h"
#include "sextant/core/secrets.h"
#include "sextant/core/visible_text.h"
#include "sextant/report/render.h"
#include "sextant/report/text_wrap.h"

namespace sextant::cli {
namespace {

bool use_color(const Io& io, const Globals& globals) {
  if (globals.color == "always") return true;
  if (globals.color == "never" || std::getenv("NO_COLOR") != nullptr) return false;
  return io.out_is_terminal;
}

Json provenance(const Globals& globals) {
  Provenance from = provenance_now(globals.command_line, static_cast<std::uint64_t>(globals.seed));
  for (const auto* files : {&globals.catalog, &globals.inputs}) {
    for (const auto& file : *files) from.inputs.emplace_back(file, sha256_of_file(file));
  }
  Json json = to_json(from);
  for (const auto& [name, value] : globals.machine) json["machine"][name] = value;
  return json;
}

void write_json(const Io& io, const Globals& globals, Json json) {
  json = all_said(io, std::move(json));
  if (!globals.no_provenance) json["provenance"] = provenance(globals);
  // Names from files may hold any bytes; what is not UTF-8 is replaced rather than fatal.
  io.out << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

std::size_t terminal_columns(int width) {
  return static_cast<std::size_t>(std::max(width, 0));
}

constexpr std::size_t kHanging = 2;  // blanks before the second line of a message

int width_of(const Io& io, const Globals& globals) {
  return globals.wide || globals.chosen_format() == Format::markdown ? 0 : io.width;
}

void write_title(const Io& io, const Globals& globals, const std::string& title) {
  if (globals.chosen_format() == Format::markdown) io.out << "### ";
  for (const std::string& line :
       report::wrapped(visible(title), {.width = terminal_columns(width_of(io, globals))})) {
    io.out << line << '\n';
  }
  io.out << '\n';
}

void write_table(const Io& io, const Globals& globals, const report::Table& table) {
  const report::Table shown = all_said(io, table);
  const Format format = globals.chosen_format();
  if (format == Format::csv) return render_csv(io.out, shown);
  if (format == Format::markdown) return render_markdown(io.out, shown);
  render_screen(io.out, shown, {use_color(io, globals), width_of(io, globals), "--wide shows every column"});
}

}  // namespace

Format Globals::chosen_format() const {
  if (json || format == "json") return Format::json;
  if (format == "csv") return Format::csv;
  if (format == "markdown") return Format::markdown;
  return Format::table;
}

void write_result(const Io& io, const Globals& globals, const report::Result& result) {
  if (io.take) return io.take(result);
  const Format format = globals.chosen_format();
  if (format == Format::json) return write_json(io, globals, to_json(result));
  if (!globals.columns.empty()) {
    Globals rest = globals;
    rest.columns.clear();
    if (!globals.columns_if_there) return write_result(io, rest, with_columns(result, globals.columns));
    const std::vector<std::string> there = columns_there(result, globals.columns);
    return write_result(io, rest, there.empty() ? result : with_columns(result, there));
  }
  if (result.sections.empty()) return write_table(io, globals, result.facts);
  if (format == Format::csv) {
    const auto has_columns = [](const report::Section& section) { return !section.table.columns.empty(); };
    const auto answer = std::ranges::find_if(result.sections, has_columns);
    if (answer != result.sections.end()) write_table(io, globals, answer->table);
    return;
  }
  bool first = true;
  for (const report::Section& section : result.sections) {
    if (!section.shown) continue;
    if (!first) io.out << '\n';
    if (!section.title.empty()) write_title(io, globals, section.title);
    write_table(io, globals, section.table);
    first = false;
  }
}

void tell(const Io& io, const std::string& message) {
  const report::Wrap wrap = {.width = terminal_columns(io.err_width), .hanging = kHanging};
  for (const std::string& line : report::wrapped(without_passwords(said(io, message)), wrap)) {
    io.err << visible(line) << '\n';
  }
  io.err.flush();  // seen at once, by pipes too
}

void warn(const Io& io, const std::string& message) {
  tell(io, "sextant: warning: " + message);
}

void note(const Io& io, const std::string& message) {
  tell(io, "sextant: note: " + message);
}

}  // namespace sextant::cli
