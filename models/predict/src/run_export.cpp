#include "sextant/predict/run_export.h"

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>

#include "sextant/core/text.h"
#include "sextant/predict/case_file.h"

namespace sextant::predict {
namespace {

struct Synonyms {
  std::string_view column;  // of kCaseColumns
  std::vector<std::string_view> names;
};

const std::vector<Synonyms>& synonyms() {
  static const std::vector<Synonyms> all = {
      {"net", {"net", "network", "model", "model_name", "arch", "architecture", "backbone"}},
      {"gpu", {"gpu", "gpu_name", "gpu_type", "gpu_model", "device_name", "accelerator"}},
      {"count", {"count", "gpus", "num_gpus", "n_gpus", "gpu_count", "world_size"}},
      {"batch",
       {"batch", "batch_size", "per_device_batch_size", "per_device_train_batch_size", "train_batch_size",
        "local_batch_size"}},
      {"image", {"image", "image_size", "img_size", "input_size", "resolution", "crop_size"}},
      {"seq", {"seq", "seq_len", "seq_length", "sequence_length", "max_seq_length", "block_size"}},
      {"classes", {"classes", "num_classes"}},
      {"mode", {"mode"}},
      {"precision", {"precision", "dtype"}},
      {"stack", {"stack", "framework"}},
      {"optimizer", {"optimizer", "optim"}},
      {"nodes", {"nodes", "num_nodes", "nnodes"}},
  };
  return all;
}

// Names of the time of a step, without what says the unit.
constexpr std::array<std::string_view, 9> kTimeNames = {"measured",        "step_time",     "iteration_time",
                                                        "iter_time",       "batch_time",    "time_per_step",
                                                        "train_step_time", "step_duration", "time"};
constexpr std::array<std::string_view, 2> kUnitsAlone = {"ms", "milliseconds"};  // columns called so
// What trainers print instead of the time of a step.
constexpr std::array<std::string_view, 5> kSampleNames = {"samples", "images", "imgs", "img", "examples"};
constexpr std::array<std::string_view, 3> kRateEndings = {"_per_s", "_per_sec", "_per_second"};
// What the records of this program call it, always with a unit.
constexpr std::string_view kStep = "step";
constexpr std::array<std::pair<std::string_view, double>, 9> kUnitEndings = {{{"_s", 1},
                                                                              {"_sec", 1},
                                                                              {"_secs", 1},
                                                                              {"_seconds", 1},
                                                                              {"_ms", 1e-3},
                                                                              {"_msec", 1e-3},
                                                                              {"_milliseconds", 1e-3},
                                                                              {"_us", 1e-6},
                                                                              {"", 1}}};
constexpr std::array<std::string_view, 2> kStateNames = {"state", "status"};
const std::vector<std::string> kFinished = {"finished", "FINISHED", "completed", "COMPLETED", ""};

// "batch_size" of "config/batch_size", "params.batch_size" and "Batch Size".
std::string plain_name(std::string_view header) {
  const std::size_t last = header.find_last_of("/.");
  std::string name = to_lower(header.substr(last == std::string_view::npos ? 0 : last + 1));
  std::ranges::replace_if(
      name, [](char c) { return c == ' ' || c == '-'; }, '_');
  return name;
}

// Seconds in a unit of this column; nothing if it holds no time of a step.
std::optional<double> time_unit(const std::string& name) {
  if (std::ranges::find(kUnitsAlone, name) != kUnitsAlone.end()) return 1e-3;
  for (const auto& [ending, seconds] : kUnitEndings) {
    if (!name.ends_with(ending)) continue;
    const std::string stem = name.substr(0, name.size() - ending.size());
    // Trackers count steps under this name, and "time" alone may be a date.
    if ((stem == kStep || stem == "time") && ending.empty()) continue;
    if (stem == kStep || std::ranges::find(kTimeNames, stem) != kTimeNames.end()) return seconds;
  }
  return std::nullopt;
}

bool is_rate(const std::string& name) {
  return std::ranges::any_of(kRateEndings, [&](std::string_view ending) {
    return name.ends_with(ending) &&
           std::ranges::find(kSampleNames, name.substr(0, name.size() - ending.size())) != kSampleNames.end();
  });
}

bool names_batch(const std::string& name) {
  const auto batch = std::ranges::find(synonyms(), "batch", &Synonyms::column);
  return std::ranges::find(batch->names, name) != batch->names.end();
}

// The only header that `fits`, or the one that the mapping says.
template <class Fits>
std::optional<std::size_t> header_of(const CsvTable& table, const std::vector<std::string>& mapping,
                                     const std::string& target, const Fits& fits) {
  for (const std::string& item : mapping) {
    if (item.starts_with(target + "=")) return table.column(item.substr(target.size() + 1));
  }
  for (std::size_t c = 0; c < table.header().size(); ++c) {
    if (fits(plain_name(table.header()[c]))) return c;
  }
  return std::nullopt;
}

// A file of rates, as "img_per_s", with the times of its steps; nothing where it has times, or no rate.
std::optional<CsvTable> with_times(const CsvTable& table, const std::vector<std::string>& mapping,
                                   std::vector<std::string>& notes) {
  const auto holds_time = [](const std::string& name) { return time_unit(name).has_value(); };
  if (header_of(table, mapping, "measured_s", holds_time) ||
      header_of(table, mapping, "measured_ms", holds_time))
    return std::nullopt;
  const auto rate = header_of(table, mapping, "samples_per_s", is_rate);
  if (!rate) return std::nullopt;
  const auto batch = header_of(table, mapping, "batch", names_batch);
  if (!batch) {
    throw InputError(table.where_header(*rate), "a rate gives the time of a step only with its batch",
                     "say which column has it with '`map` batch=COLUMN'");
  }
  std::ostringstream out;
  std::vector<std::string> header = table.header();
  header.emplace_back("measured_s");
  write_csv_row(out, header);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::vector<std::string> cells;
    for (std::size_t c = 0; c < table.header().size(); ++c) cells.push_back(table.text(row, c));
    const auto per_second = table.maybe_number(row, *rate);
    const bool known = per_second && *per_second > 0 && !table.empty(row, *batch);
    cells.push_back(known ? number_text(table.number(row, *batch) / *per_second) : "");
    write_csv_row(out, cells);
  }
  notes.push_back("reading " + table.file_name() + ": step time = '" + table.header()[*batch] + "' / '" +
                  table.header()[*rate] + "'");
  return CsvTable::parse(out.str(), table.file_name());
}

class RunColumns {
 public:
  RunColumns(const CsvTable& table, const std::vector<std::string>& mapping) : table_(table) {
    recipe_.file = table.file_name();
    for (const std::string& item : mapping) take_mapping(item);
    find_time();
    for (const Synonyms& known : synonyms()) find_column(known);
    find_state();
    if (!recipe_.columns.contains("net")) {
      throw InputError(table.where_header(0), "no column names the network of a run",
                       "say which with '`map` net=COLUMN'");
    }
  }

  DataRecipe take() { return std::move(recipe_); }

 private:
  void take_mapping(const std::string& item) {
    const std::size_t equals = item.find('=');
    const std::string target = item.substr(0, equals);
    const bool time = target.starts_with("measured") && time_unit(target);
    const bool known = std::ranges::find(kCaseColumns, target) != kCaseColumns.end();
    if (target == "samples_per_s" && equals != std::string::npos) return;  // its times are in the table
    if (equals == std::string::npos || (!time && !known)) {
      std::vector<std::string> names(kCaseColumns.begin(), kCaseColumns.end());
      names.emplace_back("measured_s");
      names.emplace_back("measured_ms");
      throw InputError(at_field("map"), "'" + item + "' maps no column",
                       "NAME=COLUMN with a name of: " + join(names, ", "));
    }
    const std::string column = item.substr(equals + 1);
    static_cast<void>(table_.column(column));
    if (time) {
      set_time(column, *time_unit(target));
    } else {
      recipe_.columns[target] = "{" + column + "}";
    }
  }

  void set_time(const std::string& column, double unit) {
    recipe_.response = column;
    recipe_.unit = unit;
    recipe_.where[column] = {"!"};  // a run that broke off has no time
  }

  // The only header that `fits`; InputError where there are two.
  template <class Fits>
  [[nodiscard]] std::optional<std::string> only(const std::string& target, const Fits& fits) const {
    std::optional<std::string> found;
    for (std::size_t c = 0; c < table_.header().size(); ++c) {
      const std::string& header = table_.header()[c];
      if (!fits(plain_name(header))) continue;
      if (found) {
        throw InputError(table_.where_header(c),
                         "both '" + *found + "' and '" + header + "' could be the column '" + target + "'",
                         "say which with '`map` " + target + "=COLUMN'");
      }
      found = header;
    }
    return found;
  }

  void find_time() {
    if (!recipe_.response.empty()) return;
    const auto column =
        only("measured_s", [](const std::string& name) { return time_unit(name).has_value(); });
    if (!column) {
      throw InputError(
          table_.where_header(0), "no column holds the time of a step",
          "say which with '`map` measured_s=COLUMN', measured_ms=COLUMN or samples_per_s=COLUMN");
    }
    set_time(*column, *time_unit(plain_name(*column)));
  }

  // A column by its own name is taken before others.
  void find_column(const Synonyms& known) {
    const std::string target(known.column);
    if (recipe_.columns.contains(target)) return;
    if (table_.find_column(target)) {
      recipe_.columns[target] = "{" + target + "}";
      return;
    }
    const auto fits = [&](const std::string& name) {
      return std::ranges::find(known.names, name) != known.names.end();
    };
    if (const auto column = only(target, fits)) recipe_.columns[target] = "{" + *column + "}";
  }

  void find_state() {
    for (const std::string& header : table_.header()) {
      if (std::ranges::find(kStateNames, plain_name(header)) != kStateNames.end())
        recipe_.where[header] = kFinished;
    }
  }

  const CsvTable& table_;
  DataRecipe recipe_;
};

}  // namespace

DataRecipe run_recipe(const CsvTable& table, const std::vector<std::string>& mapping) {
  return RunColumns(table, mapping).take();
}

CsvTable as_measured(const CsvTable& given, const std::vector<std::string>& mapping,
                     std::vector<std::string>& notes) {
  const std::optional<CsvTable> timed = with_times(given, mapping, notes);
  const CsvTable& table = timed ? *timed : given;
  const bool plain = table.find_column("measured_s") || table.find_column("measured_ms");
  if (plain && mapping.empty() && !timed) return table;
  const DataRecipe recipe = run_recipe(table, mapping);
  const char* unit = recipe.unit == 1 ? "s" : recipe.unit == 1e-3 ? "ms" : "us";
  std::vector<std::string> taken = {std::string("step time (") + unit + ") = '" + recipe.response + "'"};
  for (const auto& [column, text] : recipe.columns) {
    if (text != "{" + column + "}") taken.push_back(column + " = '" + text.substr(1, text.size() - 2) + "'");
  }
  notes.push_back("reading " + table.file_name() + ": " + join(taken, ", "));
  CsvTable mapped = map_columns(table, recipe);
  if (const std::size_t left_out = table.rows() - mapped.rows(); left_out > 0) {
    notes.push_back(table.file_name() + ": " + std::to_string(left_out) + " of " +
                    std::to_string(table.rows()) + " runs " +
                    (left_out == 1 ? "is left out: it did not finish, or has no time"
                                   : "are left out: they did not finish, or have no time"));
  }
  return mapped;
}

}  // namespace sextant::predict
