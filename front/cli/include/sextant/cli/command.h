// A command is declared once: options with their help, bounds and choices are bound to plain variables.
// The parser, --help, the reference page, completion and `config show` all read this declaration.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "sextant/cli/io.h"
#include "sextant/core/error.h"

namespace sextant::cli {

// Names that completion and messages can offer, looked up when needed.
using NameSource = std::function<std::vector<std::string>()>;

// What an option names, if something is written there.
enum class Writes {
  nothing,
  file,     // whole, by OutputFile; '-' is standard output
  picture,  // such a file, of SVG: a name that ends as another format does is refused
  place     // a database, or a folder of files
};

struct Option {
  using Target = std::variant<bool*, std::int64_t*, double*, std::string*, std::optional<std::int64_t>*,
                              std::optional<double>*, std::optional<std::string>*, std::vector<std::string>*,
                              std::vector<std::int64_t>*>;

  std::string name;     // "batch" for --batch; of a positional the word in help, "NET"
  std::string summary;  // one line
  Target target;
  std::string value_name = {};  // "N", "LIST", "FILE"; empty for a switch
  bool positional = false;
  bool whole = false;  // of a list: items may hold commas, so each stands behind an option of its own
  bool required = false;
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices = {};          // a closed set; anything else is refused
  std::map<std::string, std::string> hints = {};  // for what people write instead of a choice
  NameSource names = {};                          // an open set, for completion
  std::string field = {};                         // what libraries call it, where that is not the name
  std::string group = {};  // heading in help; none: what most people need, which stands first
  Writes writes = Writes::nothing;
  bool runs = false;                     // what it names is run, as a command of the user
  std::vector<std::string> former = {};  // older names that are still understood
  std::string advice = {};               // hint for a value that is no number, instead of the bounds
  bool counted = false;                  // a number may end in k, M, G, B or T: "15T"

  [[nodiscard]] std::string default_text() const;  // current value of the target; empty when unset
  [[nodiscard]] bool takes_list() const;
  [[nodiscard]] bool writes_file() const;   // of any kind
  [[nodiscard]] std::string typed() const;  // "--batch", "NET"
};

// The options under that heading, unless they have one.
std::vector<Option> grouped(const std::string& heading, std::vector<Option> options);
// The same for some of them, by name.
void put_under(const std::string& heading, const std::vector<std::string>& names,
               std::vector<Option>& options);

// What people come with: the order of the commands in the program's help.
enum class Wish { unsorted, plan, share, measure, find, learn, look_up, set_up };

struct Command {
  std::string path;  // "net summary"
  Wish wish = Wish::unsorted;
  std::string summary;  // one line
  std::string details;  // a paragraph, may be empty
  std::vector<std::string> examples;
  std::vector<Option> options;
  std::function<int(const Io&, const Globals&)> run;
};

// Sets the variable from text. `at` is the place the text came from: an option, a variable, a file.
void assign(const Option& option, const std::vector<std::string>& values, const SourcePos& at);

std::vector<Option> global_options(Globals& globals);

// All files of front/cli/commands, sorted by path, each with its defaults.
std::vector<Command> all_commands();

}  // namespace sextant::cli
