#include "sextant/ask/table_search.h"

namespace sextant::ask {
namespace {

const std::string& needed_for_table(const std::optional<std::string>& value, const std::string& field) {
  if (!value) throw InputError(at_field(field), "`table` needs `" + field + "`");
  return *value;
}

study::TableSearchRequest search_request(const TableSearchQuestion& question) {
  study::TableSearchRequest request;
  request.group = needed_for_table(question.group, "group");
  request.config = question.config;
  request.features = question.features.empty() ? question.config : question.features;
  request.objective = needed_for_table(question.objective, "objective");
  request.censored = question.censored.value_or("");
  request.penalised = question.penalised.value_or("");
  request.transfer_apart = question.transfer_apart.value_or("");
  request.prior = question.prior.value_or("");
  request.strategies = question.strategy;
  request.trials = static_cast<std::size_t>(question.trials);
  request.seeds = static_cast<std::size_t>(question.seeds);
  request.seed = question.seed;
  request.threads = static_cast<std::size_t>(question.threads);
  return request;
}

}  // namespace

TableSearchAnswer search_table(const TableSearchQuestion& question, Progress& progress) {
  const CsvTable table = CsvTable::read_file(needed_for_table(question.table, "table"));
  TableSearchAnswer answer{.report = study::search_table(table, search_request(question), progress)};
  for (const std::string& group : answer.report.skipped) {
    answer.warnings.push_back("no run of '" + group + "' completed: it is left out");
  }
  return answer;
}

}  // namespace sextant::ask
