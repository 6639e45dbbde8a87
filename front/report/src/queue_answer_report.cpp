// An answer about queues, whichever of its forms it has.
#include <nlohmann/json.hpp>

#include "sextant/report/queue_report.h"

namespace sextant::report {
namespace {

template <class... Forms>
struct QueueForms : Forms... {
  using Forms::operator()...;
};
template <class... Forms>
QueueForms(Forms...) -> QueueForms<Forms...>;

// One is an object, several are a list.
template <class Result>
Json one_or_list(const std::vector<Result>& results) {
  Json list = Json::array();
  for (const auto& result : results) list.push_back(to_json(result));
  return results.size() == 1 ? list.front() : list;
}

std::vector<Table> recorded_tables(const ask::RecordedQueue& recorded) {
  Table answer = diagnosis_table(recorded.diagnosis);
  if (recorded.sizing) answer.notes.push_back(sizing_table({*recorded.sizing}).notes.back());
  return {fits_table(recorded.diagnosis), tests_table(recorded.diagnosis), std::move(answer)};
}

Json recorded_json(const ask::RecordedQueue& recorded) {
  Json json = to_json(recorded.diagnosis);
  if (const auto& sizing = recorded.sizing) {
    json["sizing"] = {{"feasible", sizing->feasible}, {"tightest", sizing->tightest}};
  }
  return json;
}

}  // namespace

std::vector<Table> queue_tables(const ask::QueueAnswer& answer) {
  using Tables = std::vector<Table>;
  return std::visit(
      QueueForms{[](const ask::OpenQueues& open) { return Tables{queues_table(open.results)}; },
                 [](const ask::SizedQueues& sized) { return Tables{sizing_table(sized.sizings)}; },
                 [](const queueing::PriorityResult& priority) { return Tables{priority_table(priority)}; },
                 [](const ask::ClosedQueues& closed) {
                   return Tables{closed_table(closed.network, closed.results)};
                 },
                 [](const ask::ClosedBounds& bounds) { return Tables{bounds_table(bounds)}; },
                 [](const ask::QueueLaws& laws) { return Tables{laws_table(laws.derived)}; },
                 [](const ask::RecordedQueue& recorded) { return recorded_tables(recorded); }},
      answer.result);
}

Json queue_json(const ask::QueueAnswer& answer) {
  return std::visit(
      QueueForms{[](const ask::OpenQueues& open) { return one_or_list(open.results); },
                 [](const ask::SizedQueues& sized) { return one_or_list(sized.sizings); },
                 [](const queueing::PriorityResult& priority) { return to_json(priority); },
                 [](const ask::ClosedQueues& closed) { return closed_json(closed.network, closed.results); },
                 [](const ask::ClosedBounds& bounds) { return bounds_json(bounds); },
                 [](const ask::QueueLaws& laws) { return laws_json(laws.derived); },
                 [](const ask::RecordedQueue& recorded) { return recorded_json(recorded); }},
      answer.result);
}

}  // namespace sextant::report
