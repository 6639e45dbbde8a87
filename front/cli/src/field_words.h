// Libraries name fields of a question, between backticks; people know options. Here `batch` becomes --batch,
// and `net` becomes NET.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "settings.h"
#include "sextant/cli/command.h"
#include "sextant/cli/io.h"
#include "sextant/core/json.h"
#include "sextant/report/table.h"

namespace sextant::cli {

class FieldWords {
 public:
  // Options of the command that runs and of the whole program come first. Those of other commands are said
  // too: a hint may lead there, and 'list' shows what others work with. Their positionals mean nothing here.
  FieldWords(const Command& running, const std::vector<Option>& globals, const std::vector<Command>& all);

  // The text, with each `field` that is known replaced; what else stands between backticks stays.
  [[nodiscard]] std::string say(std::string_view text) const;

  // Values that nobody typed: what is wrong with them is wrong where they stand. `settings` are those of the
  // options, in their order.
  void note_origins(const std::vector<Option>& options, const std::vector<Setting>& settings);
  // "--gpu" or "`gpu`" as the place that it was set in, "sextant.toml:3:7"; as an option where it was typed.
  [[nodiscard]] std::string place(const std::string& option) const;

 private:
  void add(const Option& option);

  std::map<std::string, std::string, std::less<>> options_;  // by field, with "-" between its words
  std::map<std::string, std::string, std::less<>> origins_;  // by option as typed
};

// Library text in the words of the command that runs, without passwords; as it is where no command was
// chosen yet.
std::string said(const Io& io, std::string text);
// All texts of a result: any cell may hold a reason or an error.
report::Table all_said(const Io& io, report::Table table);
Json all_said(const Io& io, Json json);

}  // namespace sextant::cli
