#include "own_program.h"

#include <algorithm>
#include <sstream>

#include "catalog_option.h"
#include "sextant/cli/run.h"
#include "sextant/report/result.h"
#include "user_folder.h"

namespace sextant::cli {
namespace {

// Those that were named: the user's own are found by every run.
std::vector<std::string> catalog_words(const Globals& globals) {
  const std::vector<std::string> users = user_catalog_files();
  std::vector<std::string> words;
  for (const std::string& file : globals.catalog) {
    if (std::ranges::find(users, file) == users.end()) words.insert(words.end(), {"--catalog", file});
  }
  return words;
}

std::vector<std::string> joined(std::vector<std::string> first, const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

study::OwnAnswer::Row row_of(const report::Table& table, std::size_t row) {
  study::OwnAnswer::Row values{.numbers = report::row_numbers(table, row)};
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (const bool* yes = std::get_if<bool>(&table.rows[row][c].value)) {
      values.truths[table.columns[c].key] = *yes;
    }
  }
  return values;
}

// The answer is the first section.
std::vector<study::OwnAnswer::Row> rows_of(const report::Result& result) {
  const report::Table& table = result.sections.front().table;
  std::vector<study::OwnAnswer::Row> rows;
  for (std::size_t row = 0; row < table.rows.size(); ++row) rows.push_back(row_of(table, row));
  return rows;
}

}  // namespace

study::OwnProgram own_program(const Io& io, const Globals& globals) {
  const std::vector<std::string> catalogs = catalog_words(globals);
  study::OwnProgram own;
  // A prior may ask thousands of times: the catalogue is read once.
  own.within = [catalogs, read = std::make_shared<CatalogsRead>()](const std::vector<std::string>& args,
                                                                   const study::Interrupted& interrupted) {
    study::OwnAnswer answer;
    std::ostringstream out;
    std::ostringstream err;
    Io inner{out, err};
    inner.catalogs = read;
    inner.take = [&answer](const report::Result& result) { answer.rows = rows_of(result); };
    inner.abandoned = interrupted ? interrupted : [] { return false; };
    answer.exit_code = run(joined(catalogs, args), inner);
    answer.errors = err.str();
    return answer;
  };
  if (!io.program.empty()) own.start = joined({io.program}, catalogs);
  return own;
}

}  // namespace sextant::cli
