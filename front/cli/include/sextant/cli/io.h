// Streams, colour and width of one run, so that tests call a command without a process.
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sextant/report/result.h"

namespace sextant::cli {

enum class Format { table, csv, json, markdown };
struct CatalogsRead;
class FieldWords;

struct Io {
  std::ostream& out;  // the result, and nothing else; errors, where a file is standard output
  std::ostream& err;  // progress, warnings, logs
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  int width = 0;      // of the terminal that `out` is; 0 for pipes
  int err_width = 0;  // of that which `err` is
  // Path of this program, to start it as another process; empty where it is part of another program.
  std::string program = {};
  // What was read, where runs follow each other within one process; empty: each reads for itself.
  std::shared_ptr<CatalogsRead> catalogs = {};
  // Takes the result as a value; empty: it is printed. Its texts still name fields.
  std::function<void(const report::Result&)> take = {};
  // Asked by long work of who runs it within something else: true, and it ends at once. Empty: Ctrl-C is
  // heard.
  std::function<bool()> abandoned = {};
  // How the command that runs says the fields that libraries name; empty until it is known.
  std::shared_ptr<const FieldWords> words = {};
  // Where a file that is called '-' goes; none: to `out`.
  std::ostream* standard_output = nullptr;
};

// What every command takes besides its own options.
struct Globals {
  std::string format = "table";
  bool format_given = false;  // on the command line
  bool json = false;
  std::vector<std::string> columns;  // of tables and CSV; empty: all
  bool columns_if_there =
      false;          // columns that the result has not are left out: they were said of all commands
  bool wide = false;  // no column is dropped to fit the terminal
  std::string color = "auto";
  bool no_provenance = false;
  bool debug = false;
  std::int64_t seed = 0;
  std::vector<std::string> catalog;
  std::vector<std::string> inputs = {};  // files that the options of the command name
  std::string command_line;              // as typed, for the provenance
  // What else says where a result is from: the state of the machine that measured it.
  std::vector<std::pair<std::string, std::string>> machine = {};

  [[nodiscard]] Format chosen_format() const;
};

// The result in the format asked for, or to who takes it. JSON gets the provenance unless it is left out.
// Fields that texts name are said as options, here and in warnings.
void write_result(const Io& io, const Globals& globals, const report::Result& result);
// A message to people, on `err`: in lines that are no wider than their terminal. What would command a
// terminal is spelt out, and passwords are hidden.
void tell(const Io& io, const std::string& message);
void warn(const Io& io, const std::string& message);
void note(const Io& io, const std::string& message);

}  // namespace sextant::cli
