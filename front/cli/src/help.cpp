#include "help.h"

#include <algorithm>

#include "help_lines.h"
#include "option_text.h"
#include "sextant/report/text_wrap.h"

namespace sextant::cli {
namespace {

constexpr int kOfPipes = 80;
constexpr int kNarrowest = 40;
constexpr int kWidest = 120;
constexpr std::size_t kIndent = 2;
constexpr std::size_t kGap = 2;
constexpr std::size_t kWidestName = 24;  // longer ones have a line of their own

// Names on the left, what they mean on the right.
class TwoColumns {
 public:
  explicit TwoColumns(std::size_t width) : width_(width) {}

  void fit(const std::string& name) {
    const std::size_t needed = report::display_width(name);
    if (needed <= kWidestName) left_ = std::max(left_, needed);
  }

  [[nodiscard]] std::string line(const std::string& name, const std::string& meaning) const {
    const std::size_t right = kIndent + left_ + kGap;
    const std::size_t used = report::display_width(name);
    const std::string label = std::string(kIndent, ' ') + name;
    if (meaning.empty()) return label + "\n";
    if (used > left_) return label + "\n" + help_paragraphs(meaning, width_, {right, right});
    const std::string text = help_paragraphs(meaning, width_, {right, right});
    return label + std::string(left_ - used, ' ') + text.substr(std::min(text.size(), kIndent + left_));
  }

 private:
  std::size_t width_;
  std::size_t left_ = 0;
};

std::string heading(const std::string& title) {
  return "\n" + title + ":\n";
}

std::string examples_of(const Command& command, std::size_t width) {
  if (command.examples.empty()) return {};
  std::string lines = heading(command.examples.size() == 1 ? "Example" : "Examples");
  for (const auto& example : command.examples) lines += shell_command(example, width);
  return lines;
}

std::string option_lines(const std::vector<OptionGroup>& groups, std::size_t width) {
  TwoColumns columns(width);
  for (const OptionGroup& group : groups) {
    for (const Option& option : group.options) columns.fit(option_name(option));
  }
  std::string lines;
  for (const OptionGroup& group : groups) {
    lines += heading(group.heading);
    for (const Option& option : group.options)
      lines += columns.line(option_name(option), option_meaning(option));
  }
  return lines;
}

TwoColumns fitted(const std::vector<Command>& commands, std::size_t width) {
  TwoColumns columns(width);
  for (const Command& command : commands) columns.fit(command.path);
  return columns;
}

bool writes_files(const Command& command) {
  return std::ranges::any_of(command.options, [](const Option& o) { return o.writes == Writes::file; });
}

}  // namespace

std::size_t help_width(int terminal_width) {
  return static_cast<std::size_t>(
      std::clamp(terminal_width == 0 ? kOfPipes : terminal_width, kNarrowest, kWidest));
}

std::string program_help(const std::vector<Command>& commands, std::size_t width) {
  std::string text =
      help_paragraphs("sextant: how long, on which machines, at what cost", width) + heading("Examples") +
      shell_command("sextant predict resnet50 --gpu v100,a100 --batch 32", width) +
      shell_command("sextant advise resnet50 --epochs 90 --samples 1281167 --deadline '24 h'", width);
  const TwoColumns columns = fitted(commands, width);
  for (const CommandGroup& group : command_groups(commands)) {
    text += heading(group.heading);
    for (const Command& command : group.commands) text += columns.line(command.path, command.summary);
  }
  return text + "\n" + help_paragraphs("'sextant COMMAND --help' shows the options of a command.", width) +
         help_paragraphs(kExitCodes, width);
}

std::string group_help(const std::vector<Command>& commands, const std::string& group, std::size_t width) {
  std::vector<Command> own;
  std::ranges::copy_if(commands, std::back_inserter(own),
                       [&](const Command& command) { return command.path.starts_with(group + " "); });
  std::string text = "sextant " + group + " COMMAND [options]\n";
  if (!own.empty()) text += examples_of(own.front(), width);
  text += heading("Commands");
  const TwoColumns columns = fitted(own, width);
  for (const Command& command : own) text += columns.line(command.path, command.summary);
  return text;
}

std::string command_help(const Command& command, const std::vector<Option>& globals, std::size_t width) {
  std::vector<OptionGroup> groups = option_groups(command.options);
  groups.push_back({"Common options", globals});
  std::string text =
      help_paragraphs("sextant " + command.path + ": " + command.summary, width, {0, kIndent}) +
      examples_of(command, width) + heading("Usage") +
      help_paragraphs(usage(command), width, {kIndent, 2 * kIndent});
  if (!command.details.empty()) text += "\n" + help_paragraphs(command.details, width);
  text += option_lines(groups, width);
  if (writes_files(command)) {
    text += "\n" + help_paragraphs(
                       "Use '-' to write the file to standard output; the table then goes to standard error.",
                       width);
  }
  return text;
}

}  // namespace sextant::cli
