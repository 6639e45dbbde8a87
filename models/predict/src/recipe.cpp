#include "sextant/predict/recipe.h"

#include <algorithm>
#include <set>
#include <sstream>

#include "sextant/predict/case_file.h"

namespace sextant::predict {
namespace {

constexpr const char* kTime = "measured_s";

// "profet/{model}" with the cells of a row.
class Template {
 public:
  Template(const CsvTable& table, const std::string& text) {
    std::size_t at = 0;
    while (at < text.size()) {
      const auto open = text.find('{', at);
      const auto close = open == std::string::npos ? open : text.find('}', open);
      if (close == std::string::npos) {
        pieces_.push_back({text.substr(at), {}});
        return;
      }
      pieces_.push_back({text.substr(at, open - at), table.column(text.substr(open + 1, close - open - 1))});
      at = close + 1;
    }
  }

  [[nodiscard]] std::string fill(const CsvTable& table, std::size_t row) const {
    std::string text;
    for (const auto& piece : pieces_) {
      text += piece.literal;
      if (piece.column) text += table.text(row, *piece.column);
    }
    return text;
  }

 private:
  struct Piece {
    std::string literal;
    std::optional<std::size_t> column;
  };
  std::vector<Piece> pieces_;
};

bool allowed(const std::string& value, const std::vector<std::string>& choices) {
  bool any_positive = false;
  for (const auto& choice : choices) {
    if (choice.starts_with("!")) {
      if (value == choice.substr(1)) return false;
      continue;
    }
    any_positive = true;
    if (value == choice) return true;
  }
  return !any_positive;
}

bool kept(const CsvTable& table, std::size_t row, const DataRecipe& recipe) {
  return std::ranges::all_of(recipe.where, [&](const auto& condition) {
    return allowed(table.text(row, table.column(condition.first)), condition.second);
  });
}

std::string replaced(const DataRecipe& recipe, const std::string& column, const std::string& value) {
  const auto table = recipe.values.find(column);
  if (table == recipe.values.end()) return value;
  const auto found = table->second.find(value);
  return found == table->second.end() ? std::string() : found->second;
}

std::string cell(const CsvTable& table, std::size_t row, const std::string& name) {
  const auto column = table.find_column(name);
  return column ? table.text(row, *column) : std::string();
}

// The cells that a profile names its step by, so that the two meet.
std::string case_key(const CsvTable& table, std::size_t row, const DataRecipe& profile) {
  std::string key;
  for (const auto& [column, text] : profile.columns) key += cell(table, row, column) + '\n';
  return key;
}

std::string below(const std::string& folder, const std::string& file) {
  return folder.empty() ? file : folder + "/" + file;
}

struct Profile {
  std::array<double, kKernelKinds> by_kind = {};
  double total = 0;
};

std::map<std::string, Profile> read_profiles(const ProfileRecipe& recipe, const std::string& folder) {
  const CsvTable raw = CsvTable::read_file(below(folder, recipe.data.file));
  DataRecipe with_op = recipe.data;
  with_op.columns["op"] = "{" + recipe.op + "}";
  const CsvTable table = map_columns(raw, with_op);
  std::map<std::string, Profile> profiles;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::string op = cell(table, row, "op");
    if (!op.starts_with(recipe.prefix)) continue;
    op = op.substr(recipe.prefix.size());
    if (std::ranges::find(recipe.ignored, op) != recipe.ignored.end()) continue;
    const double seconds = table.number(row, table.column(kTime)) / recipe.steps;
    Profile& profile = profiles[case_key(table, row, recipe.data)];
    profile.total += seconds;
    const auto kind = recipe.kinds.find(op);
    if (kind != recipe.kinds.end()) profile.by_kind[static_cast<std::size_t>(kind->second)] += seconds;
  }
  return profiles;
}

// Published rates as a table of cases, so that they are read like any other.
CsvTable published_table(const Recipe& recipe) {
  std::set<std::string> columns;
  for (const PublishedStep& step : recipe.published) {
    for (const auto& [column, value] : step.columns) columns.insert(column);
  }
  std::ostringstream out;
  std::vector<std::string> cells(columns.begin(), columns.end());
  cells.emplace_back(kTime);
  write_csv_row(out, cells);
  for (const PublishedStep& step : recipe.published) {
    cells.clear();
    for (const std::string& column : columns) {
      const auto found = step.columns.find(column);
      cells.push_back(found == step.columns.end() ? std::string() : found->second);
    }
    const auto batch = to_number(step.columns.at("batch"));
    if (!batch)
      throw InputError("the batch '" + step.columns.at("batch") + "' of a published step is no number");
    std::ostringstream seconds;
    seconds.precision(17);
    seconds << *batch / step.samples_per_s;
    cells.push_back(seconds.str());
    write_csv_row(out, cells);
  }
  return CsvTable::parse(out.str(), recipe.stack + " (published)");
}

// A profiler slows what it watches: a profile longer than the step is scaled down to it.
void attach(Observation& row, const Profile& profile) {
  const double scale = std::min(1.0, row.seconds / profile.total);
  for (std::size_t k = 0; k < kKernelKinds; ++k) row.profile[k] = scale * profile.by_kind[k];
}

}  // namespace

CsvTable map_columns(const CsvTable& table, const DataRecipe& recipe) {
  std::vector<std::string> header;
  std::vector<Template> templates;
  for (const auto& [name, text] : recipe.columns) {
    header.push_back(name);
    templates.emplace_back(table, text);
  }
  header.emplace_back(kTime);
  const std::size_t time = table.column(recipe.response);
  std::ostringstream out;
  write_csv_row(out, header);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!kept(table, row, recipe)) {
      out << '\n';  // an empty line, so that the others keep their numbers
      continue;
    }
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < templates.size(); ++i) {
      cells.push_back(replaced(recipe, header[i], templates[i].fill(table, row)));
    }
    std::ostringstream seconds;
    seconds.precision(17);
    seconds << table.number(row, time) * recipe.unit;
    cells.push_back(seconds.str());
    write_csv_row(out, cells);
  }
  return CsvTable::parse(out.str(), table.file_name());
}

std::vector<Observation> read_observations(const Recipe& recipe, const std::string& folder,
                                           const catalog::Catalog& catalog) {
  std::map<std::string, Profile> profiles;
  if (recipe.profile) profiles = read_profiles(*recipe.profile, folder);
  std::vector<Observation> all;
  for (const DataRecipe& data : recipe.data) {
    const CsvTable table = map_columns(CsvTable::read_file(below(folder, data.file)), data);
    CaseDefaults defaults;
    defaults.job.stack = recipe.stack;
    std::vector<Observation> rows = observe(read_measured(table, catalog, defaults), catalog, recipe.traits);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i].software = {cell(table, i, "framework"), cell(table, i, "library")};
      if (const auto name = cell(table, i, "instance"); !name.empty()) rows[i].instance += "/" + name;
      if (!recipe.profile) continue;
      const auto found = profiles.find(case_key(table, i, recipe.profile->data));
      if (found != profiles.end()) attach(rows[i], found->second);
    }
    std::ranges::move(rows, std::back_inserter(all));
  }
  if (!recipe.published.empty()) {
    CaseDefaults defaults;
    defaults.job.stack = recipe.stack;
    std::ranges::move(
        observe(read_measured(published_table(recipe), catalog, defaults), catalog, recipe.traits),
        std::back_inserter(all));
  }
  return all;
}

}  // namespace sextant::predict
