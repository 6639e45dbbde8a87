#include <algorithm>

#include "manual.h"
#include "option_text.h"
#include "sextant/core/provenance.h"
#include "sextant/core/text.h"

namespace sextant::cli {
namespace {

// Text for roff: no letter of it is a command.
std::string roff(const std::string& text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
    line_begins = c == '\n';
  }
  return out;
}

std::string upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

std::string page_name(std::string path) {
  std::ranges::replace(path, ' ', '-');
  return "sextant-" + path;
}

std::string header(const std::string& name, const std::string& summary) {
  return ".TH " + upper(name) + " 1 \"\" \"sextant " + tool_version() + "\" \"User Commands\"\n.SH NAME\n" +
         name + " \\- " + roff(summary) + "\n";
}

std::string section(const std::string& title, const std::string& text) {
  return text.empty() ? "" : ".SH " + upper(title) + "\n" + text;
}

// Items stand apart, all else is one paragraph.
std::string paragraphs(const std::string& details) {
  std::string text;
  for (const std::string& line : split(details, '\n')) {
    if (line.starts_with("- "))
      text += ".IP \\(bu 2\n" + roff(line.substr(2)) + "\n";
    else if (!line.empty())
      text += roff(line) + "\n";
  }
  return text;
}

std::string commands_text(const std::vector<std::string>& commands) {
  std::string text;
  for (const std::string& command : commands) text += ".PP\n.nf\n$ " + roff(command) + "\n.fi\n";
  return text;
}

std::string options_text(const std::vector<Option>& options) {
  std::string text;
  for (const Option& option : options) {
    text += ".TP\n.B " + roff(option_name(option)) + "\n" + roff(option_meaning(option)) + "\n";
  }
  return text;
}

ManualPage command_page(const Command& command, const std::vector<Option>& globals) {
  std::string text = header(page_name(command.path), command.summary) +
                     section("synopsis", ".B " + roff(usage(command)) + "\n") +
                     section("examples", commands_text(command.examples)) +
                     section("description", paragraphs(command.details));
  for (const OptionGroup& group : option_groups(command.options)) {
    text += section(group.heading, options_text(group.options));
  }
  text += section("common options", options_text(globals)) + section("exit status", roff(kExitCodes) + "\n") +
          section("see also", ".BR sextant (1)\n");
  return {page_name(command.path) + ".1", text};
}

ManualPage program_page(const std::vector<Command>& commands, const std::vector<Option>& globals) {
  std::string text = header("sextant", "how long, on which machines, at what cost neural networks train") +
                     section("synopsis", ".B sextant\n.I COMMAND\n[options]\n");
  for (const CommandGroup& group : command_groups(commands)) {
    text += ".SH " + upper(roff(group.heading)) + "\n";
    for (const Command& command : group.commands) {
      text += ".TP\n.BR " + roff(page_name(command.path)) + " (1)\n" + roff(command.summary) + "\n";
    }
  }
  text += section("common options", options_text(globals)) + section("exit status", roff(kExitCodes) + "\n");
  return {"sextant.1", text};
}

ManualPage worker_page() {
  const std::string text = header("sextant-worker", "trains for 'sextant measure' and 'sextant calibrate'") +
                           section("description", roff("sextant starts this program, once for each worker, "
                                                       "with the folder of a run. Nobody has to call "
                                                       "it by hand.\n")) +
                           section("see also", ".BR sextant (1),\n.BR " + roff("sextant-measure") + " (1)\n");
  return {"sextant-worker.1", text};
}

}  // namespace

std::vector<ManualPage> manual_pages(const std::vector<Command>& commands,
                                     const std::vector<Option>& globals) {
  std::vector<ManualPage> pages = {program_page(commands, globals), worker_page()};
  for (const Command& command : commands) pages.push_back(command_page(command, globals));
  return pages;
}

}  // namespace sextant::cli
