#include "sextant/collectives/collective_cases.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <variant>

namespace sextant::collectives {
namespace {

std::string one_line(const InputError& error) {
  std::string text = error.message() + (error.hint().empty() ? "" : " (" + error.hint() + ")");
  std::ranges::replace(text, '\n', ' ');
  return text;
}

// With the column that it came from, as `predict --cases` writes it.
std::string told(const InputError& error, const std::string& column) {
  return (column.empty() ? "" : column + ": ") + one_line(error);
}

// Each name is looked up once, found or not: to suggest a near name takes a walk over the whole catalogue.
class FoundSystems {
 public:
  explicit FoundSystems(const CollectiveContext& context) : context_(context) {}

  const System& get(const std::string& name) {
    auto it = found_.find(name);
    if (it == found_.end()) it = found_.emplace(name, look_up(name)).first;
    if (const auto* error = std::get_if<InputError>(&it->second)) throw InputError(*error);
    return std::get<System>(it->second);
  }

 private:
  [[nodiscard]] std::variant<System, InputError> look_up(const std::string& name) const {
    try {
      return find_system(context_.systems, context_.catalog, name, {});
    } catch (const InputError& error) {
      return error;
    }
  }

  const CollectiveContext& context_;
  std::map<std::string, std::variant<System, InputError>> found_;
};

}  // namespace

CollectiveColumns::CollectiveColumns(const CsvTable& table) {
  for (std::size_t i = 0; i < at_.size(); ++i) at_.at(i) = table.column(kCollectiveColumns.at(i));
}

CollectiveCase CollectiveColumns::read(const CsvTable& table, std::size_t row) const {
  CollectiveCase c;
  c.system = table.text(row, at_[0]);
  c.question.collective = parse_collective(table.text(row, at_[1]), table.where(row, at_[1]));
  c.question.gpus = table.integer(row, at_[2]);
  c.question.nodes = table.integer(row, at_[3]);
  c.question.bytes = Bytes{table.number(row, at_[4])};
  return c;
}

std::vector<CollectiveAnswer> answer_collectives(const CsvTable& table, const CollectiveContext& context) {
  const CollectiveColumns columns(table);
  FoundSystems systems(context);
  std::vector<CollectiveAnswer> answers(table.rows());
  for (std::size_t row = 0; row < table.rows(); ++row) {
    CollectiveAnswer& answer = answers[row];
    std::string column;
    try {
      const CollectiveCase c = columns.read(table, row);
      column = "system";
      const System& system = systems.get(c.system);
      column.clear();
      answer.estimate = estimate(context.calibration, system, c.question);
    } catch (const InputError& error) {
      const std::string at = error.where().file;
      const bool names = std::ranges::find(kCollectiveColumns, at) != kCollectiveColumns.end();
      answer.error = told(error, names ? at : column);
    }
  }
  return answers;
}

}  // namespace sextant::collectives
