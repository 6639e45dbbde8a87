// Reports of worker processes as text. Times go in columns, one list for each part of an iteration.
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "sextant/measure/outcome.h"
#include "sextant/measure/run_file_reader.h"

namespace sextant::measure {
namespace {

constexpr const char* kSchema = "sextant.worker-report/1";
constexpr std::int64_t kMany = 1'000'000'000'000;

struct TimeColumn {
  const char* name;
  double IterationTimes::*part;
};
constexpr std::array<TimeColumn, 7> kTimeColumns = {{
    {"total_s", &IterationTimes::total_s},
    {"input_s", &IterationTimes::input_s},
    {"forward_s", &IterationTimes::forward_s},
    {"backward_s", &IterationTimes::backward_s},
    {"communication_s", &IterationTimes::communication_s},
    {"exposed_communication_s", &IterationTimes::exposed_communication_s},
    {"optimizer_s", &IterationTimes::optimizer_s},
}};

Json times_json(const std::vector<IterationTimes>& iterations) {
  Json json = Json::object();
  for (const TimeColumn& column : kTimeColumns) {
    Json list = Json::array();
    for (const IterationTimes& times : iterations) list.push_back(times.*column.part);
    json[column.name] = std::move(list);
  }
  return json;
}

Json operator_json(const OperatorTiming& timing) {
  return {{"node", timing.node},
          {"name", timing.name},
          {"type", timing.type},
          {"forward_s", timing.forward_s},
          {"backward_s", timing.backward_s},
          {"bytes", timing.bytes},
          {"flop", timing.flop}};
}

// Reasons come from other libraries and may hold any bytes; JSON holds UTF-8 only.
std::string as_utf8(const std::string& text) {
  const std::string quoted = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  return Json::parse(quoted).get<std::string>();
}

Json bad_input_json(const std::optional<BadInput>& bad) {
  if (!bad) return {};
  return {{"file", as_utf8(bad->at.file)},    {"line", bad->at.line},
          {"column", bad->at.column},         {"field", bad->at.field},
          {"message", as_utf8(bad->message)}, {"hint", as_utf8(bad->hint)}};
}

class ReportReader : RunFileReader {
 public:
  explicit ReportReader(std::string file) : RunFileReader(std::move(file)) {}

  [[nodiscard]] WorkerReport read(const Json& json) const {
    check_schema(json, kSchema, "a worker's report", "sextant-worker");
    only(json, {"schema", "rank", "role", "host", "pid", "first_iteration", "iterations", "losses", "bytes",
                "peak_rss_bytes", "accuracy", "operators", "error", "bad_input", "versions"});
    WorkerReport report;
    report.rank = count(json, "rank", 0, kMany);
    report.role = text(json, "role");
    report.host = text(json, "host");
    report.pid = count(json, "pid", 0, kMany);
    report.first_iteration = count(json, "first_iteration", 0, kMany);
    report.iterations = times(member(json, "iterations"));
    report.losses = numbers(json, "losses");
    if (report.losses.size() != report.iterations.size() && !report.losses.empty()) {
      fail("losses", "has not as many values as there are iterations");
    }
    report.bytes = wire_bytes(member(json, "bytes"));
    report.peak_rss_bytes = at_least_zero(json, "peak_rss_bytes");
    report.accuracy = maybe_number(json, "accuracy");
    for (const Json& item : list(json, "operators")) report.operators.push_back(operator_timing(item));
    report.error = text(json, "error");
    report.bad_input = bad_input(value(json, "bad_input"));
    report.versions = text_pairs(json, "versions");
    return report;
  }

 private:
  [[nodiscard]] std::vector<IterationTimes> times(const Json& json) const {
    std::vector<IterationTimes> iterations(list(json, kTimeColumns[0].name).size());
    for (const TimeColumn& column : kTimeColumns) {
      const std::vector<double> values = numbers(json, column.name);
      if (values.size() != iterations.size()) fail(column.name, "is not as long as the other columns");
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i]) || values[i] < 0) fail(column.name, "has a time that is none");
        iterations[i].*column.part = values[i];
      }
    }
    return iterations;
  }
  [[nodiscard]] std::optional<BadInput> bad_input(const Json& json) const {
    if (json.is_null()) return {};
    constexpr std::int64_t kMostLines = std::numeric_limits<int>::max();
    return BadInput{.at = {.file = text(json, "file"),
                           .line = static_cast<int>(count(json, "line", 0, kMostLines)),
                           .column = static_cast<int>(count(json, "column", 0, kMostLines)),
                           .field = flag(json, "field")},
                    .message = text(json, "message"),
                    .hint = text(json, "hint")};
  }
  [[nodiscard]] WireBytes wire_bytes(const Json& json) const {
    return {.payload = at_least_zero(json, "payload"),
            .theoretical = at_least_zero(json, "theoretical"),
            .kernel = maybe_number(json, "kernel")};
  }
  [[nodiscard]] OperatorTiming operator_timing(const Json& json) const {
    return {.node = count(json, "node", 0, kMany),
            .name = text(json, "name"),
            .type = text(json, "type"),
            .forward_s = at_least_zero(json, "forward_s"),
            .backward_s = at_least_zero(json, "backward_s"),
            .bytes = at_least_zero(json, "bytes"),
            .flop = at_least_zero(json, "flop")};
  }
};

}  // namespace

Json to_json(const WorkerReport& report) {
  Json operators = Json::array();
  for (const OperatorTiming& timing : report.operators) operators.push_back(operator_json(timing));
  const auto or_null = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
  return {{"schema", kSchema},
          {"rank", report.rank},
          {"role", report.role},
          {"host", report.host},
          {"pid", report.pid},
          {"first_iteration", report.first_iteration},
          {"iterations", times_json(report.iterations)},
          {"losses", report.losses},
          {"bytes",
           {{"payload", report.bytes.payload},
            {"theoretical", report.bytes.theoretical},
            {"kernel", or_null(report.bytes.kernel)}}},
          {"peak_rss_bytes", report.peak_rss_bytes},
          {"accuracy", or_null(report.accuracy)},
          {"operators", std::move(operators)},
          {"error", as_utf8(report.error)},
          {"bad_input", bad_input_json(report.bad_input)},
          {"versions", pairs_json(report.versions)}};
}

WorkerReport worker_report_from_json(const std::string& text, const std::string& file_name) {
  return ReportReader(file_name).read(parse_json(text, file_name));
}

}  // namespace sextant::measure
