#include "completion.h"

#include <algorithm>

#include "sextant/core/text.h"

namespace sextant::cli {
namespace {

std::vector<std::string> values_of(const Option& option) {
  if (!option.choices.empty()) return option.choices;
  return option.names ? option.names() : std::vector<std::string>{};
}

std::string words_after(const std::vector<Command>& commands, const std::string& group) {
  std::vector<std::string> words;
  for (const auto& command : commands) {
    const auto parts = split(command.path, ' ');
    if (group.empty()) words.push_back(parts.front());
    if (parts.size() == 2 && parts.front() == group) words.push_back(parts.back());
  }
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return join(words, " ");
}

std::string flags_of(const std::vector<Option>& options) {
  std::vector<std::string> flags;
  for (const auto& option : options) {
    if (!option.positional) flags.push_back("--" + option.name);
  }
  return join(flags, " ");
}

// case "path:--flag" -> its values
std::string bash_value_cases(const std::string& path, const std::vector<Option>& options) {
  std::string cases;
  for (const auto& option : options) {
    const auto values = values_of(option);
    if (values.empty()) continue;
    const std::string key = path + ":" + (option.positional ? "" : "--" + option.name);
    cases += "    '" + key + "') words='" + join(values, " ") + "' ;;\n";
  }
  return cases;
}

std::string fish_condition(const std::string& path) {
  std::string condition;
  for (const auto& word : split(path, ' ')) {
    condition += (condition.empty() ? "" : "; and ") + std::string("__fish_seen_subcommand_from ") + word;
  }
  return condition;
}

std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "\\'" : std::string(1, c);
  return out + "'";
}

std::string fish_option(const Option& option, const std::string& condition) {
  const auto values = values_of(option);
  std::string line = "complete -c sextant";
  if (!condition.empty()) line += " -n " + fish_quoted(condition);
  if (!option.positional) line += " -l " + option.name + " -d " + fish_quoted(option.summary);
  if (!values.empty())
    line += " -x -a " + fish_quoted(join(values, " "));
  else if (!option.value_name.empty())
    line += " -r";
  return option.positional && values.empty() ? "" : line + "\n";
}

// The same function for both shells, under a name of each.
std::string completion_function(const std::string& name, const std::vector<Command>& commands,
                                const std::vector<Option>& globals) {
  std::string values;
  std::string flags;
  std::string groups;
  std::string nested;
  for (const auto& command : commands) {
    values += bash_value_cases(command.path, command.options);
    flags += "    '" + command.path + "') flags='" + flags_of(command.options) + "' ;;\n";
    const auto parts = split(command.path, ' ');
    if (parts.size() == 1) continue;
    nested += "      '" + command.path + "') path='" + command.path + "' ;;\n";
    const std::string group =
        "    '" + parts.front() + "') words='" + words_after(commands, parts.front()) + "' ;;\n";
    if (groups.find(group) == std::string::npos) groups += group;
  }
  return name +
         "() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local path='' words='' flags='' head='' i\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    case \"$path ${COMP_WORDS[i]}\" in\n"
         "      ' -'*) ;;\n" +
         nested +
         "      ' '*) path=${COMP_WORDS[i]} ;;\n"
         "    esac\n"
         "  done\n"
         "  case \"$path\" in\n    '') words='" +
         words_after(commands, "") + "' ;;\n" + groups +
         "  esac\n"
         "  case \"$path\" in\n" +
         flags +
         "  esac\n"
         "  [[ $prev == --* ]] || prev=''\n"
         "  case \":$prev\" in\n" +
         bash_value_cases("", globals) +
         "  esac\n"
         "  case \"$path:$prev\" in\n" +
         values +
         "  esac\n"
         "  [[ $cur == -* ]] && words=\"$flags " +
         flags_of(globals) +
         " --help\"\n"
         "  if [[ $cur == *,* ]]; then head=${cur%,*},; cur=${cur##*,}; fi\n"
         "  COMPREPLY=($(compgen -P \"$head\" -W \"$words\" -- \"$cur\"))\n"
         "}\n"
         "complete -o default -F " +
         name + " sextant\n";
}

}  // namespace

std::string bash_completion(const std::vector<Command>& commands, const std::vector<Option>& globals) {
  return "# bash completion for sextant: eval \"$(sextant completion bash)\"\n" +
         completion_function("_sextant", commands, globals);
}

std::string zsh_completion(const std::vector<Command>& commands, const std::vector<Option>& globals) {
  // As a file of a folder of completions, zsh calls it for the first word that it completes.
  return "#compdef sextant\n# zsh completion for sextant: eval \"$(sextant completion zsh)\"\n"
         "autoload -U +X bashcompinit && bashcompinit\n" +
         completion_function("_sextant_words", commands, globals) +
         "[[ $funcstack[1] == _sextant ]] && _bash_complete -o default -F _sextant_words\n";
}

std::string fish_completion(const std::vector<Command>& commands, const std::vector<Option>& globals) {
  std::string script =
      "# fish completion for sextant: sextant completion fish | source\ncomplete -c sextant -f\n";
  for (const auto& command : commands) {
    const auto parts = split(command.path, ' ');
    const std::string before =
        parts.size() == 1 ? "__fish_use_subcommand" : "__fish_seen_subcommand_from " + parts.front();
    script += "complete -c sextant -n " + fish_quoted(before) + " -a " + parts.back() + " -d " +
              fish_quoted(command.summary) + "\n";
    if (parts.size() == 2)
      script += "complete -c sextant -n __fish_use_subcommand -a " + parts.front() + "\n";
    for (const auto& option : command.options) script += fish_option(option, fish_condition(command.path));
  }
  for (const auto& option : globals) script += fish_option(option, "");
  return script;
}

}  // namespace sextant::cli
