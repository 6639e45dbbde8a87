// Any CSV with a row a job, once it is said which column is which. Times are seconds or dates, durations
// seconds or as in 1-02:03:04; rows may stand in any order.
#include <algorithm>
#include <array>

#include "calendar.h"
#include "sextant/core/text.h"
#include "sextant/core/unit_text.h"
#include "trace_csv.h"

namespace sextant::jobs::trace_csv {
namespace {

struct Meaning {
  const char* key;
  const char* summary;
};
constexpr std::array<Meaning, 8> kMeanings = {
    Meaning{"submit", "column of the time of submission: seconds, or a date and time"},
    {"gpus", "column of the number of GPUs"},
    {"duration", "column of the time that the job ran: seconds, 1-02:03:04, or '90 min'"},
    {"start", "column of the start: gives the duration with the end, and what really happened"},
    {"end", "column of the end, if there is no duration"},
    {"id", "column of the job's name"},
    {"user", "column of the user"},
    {"model", "column of the model"}};

// A column that is not named has the name of what it means, if it is there.
class JobColumns {
 public:
  JobColumns(const TraceCsv& csv, const Parameters& parameters) : csv_(csv) {
    for (std::size_t i = 0; i < kMeanings.size(); ++i) {
      const std::string& named = parameters.text(kMeanings[i].key);
      places_[i] = named.empty() ? csv.table().find_column(kMeanings[i].key) : csv.column(named);
    }
    (void)needed("submit");
    (void)needed("gpus");
    if (at("duration") || (at("start") && at("end"))) return;
    (void)needed("duration");
  }

  [[nodiscard]] std::optional<std::size_t> at(std::string_view key) const {
    const auto found = std::ranges::find(kMeanings, key, &Meaning::key);
    return places_[static_cast<std::size_t>(found - kMeanings.begin())];
  }
  [[nodiscard]] std::size_t needed(std::string_view key) const {
    if (const auto place = at(key)) return *place;
    throw InputError({csv_.table().file_name(), 1, 1},
                     "no column is named '" + std::string(key) + "', and none was said to mean it",
                     "`map` submit=COLUMN,gpus=COLUMN,duration=COLUMN says which columns to take");
  }

 private:
  const TraceCsv& csv_;
  std::array<std::optional<std::size_t>, kMeanings.size()> places_ = {};
};

std::optional<double> moment(const TraceCsv& csv, std::size_t row, std::size_t column) {
  if (csv.table().empty(row, column)) return std::nullopt;
  const std::string text = csv.text(row, column);
  if (to_number(text)) return csv.seconds(row, column);
  if (const auto seconds = instant_seconds(text); seconds && *seconds >= 0) return seconds;
  throw InputError(csv.table().where(row, column), "'" + text + "' is no time",
                   "seconds, or a date from 1970 on, as in 2024-01-05 10:00:00 or 2024-01-05T10:00:00Z");
}

std::optional<double> length(const TraceCsv& csv, std::size_t row, std::size_t column) {
  if (csv.table().empty(row, column)) return std::nullopt;
  const std::string text = csv.text(row, column);
  if (to_number(text)) return csv.seconds(row, column);
  if (const auto seconds = clock_seconds(text)) return seconds;
  const double seconds = parse_seconds(text, csv.table().where(row, column)).value;
  if (seconds <= kLatestSecond) return seconds;
  throw InputError(csv.table().where(row, column), "'" + text + "' is longer than any job");
}

std::optional<double> run_time(const TraceCsv& csv, std::size_t row, const JobColumns& columns) {
  if (const auto duration = columns.at("duration")) return length(csv, row, *duration);
  const auto start = moment(csv, row, columns.needed("start"));
  const auto end = moment(csv, row, columns.needed("end"));
  return start && end ? std::optional(*end - *start) : std::nullopt;
}

void read_row(const TraceCsv& csv, std::size_t row, const JobColumns& columns, TraceBuilder& builder) {
  builder.row();
  const auto submit = moment(csv, row, columns.needed("submit"));
  const std::size_t gpus = columns.needed("gpus");
  TraceJob job{.id = std::to_string(row), .line = csv.line(row)};
  job.gpus = csv.table().empty(row, gpus) ? 0 : csv.gpus(row, gpus);
  job.work = run_time(csv, row, columns).value_or(0);
  if (!submit) return builder.drop(kNoSubmission);
  if (job.gpus == 0) return builder.drop(kWithoutGpu);
  if (job.work < 0) return builder.drop(kEndsTooEarly);
  if (!(job.work > 0)) return builder.drop(kNoRunTime);
  job.arrival_s = *submit;
  if (const auto start = columns.at("start")) job.start_s = moment(csv, row, *start);
  const auto name_in = [&](std::string_view key) {
    const auto column = columns.at(key);
    return column ? csv.text(row, *column) : std::string();
  };
  if (const std::string id = name_in("id"); !id.empty()) job.id = id;
  if (const std::string user = name_in("user"); !user.empty()) job.user = builder.user(user);
  if (const std::string model = name_in("model"); !model.empty()) job.model = builder.model(model);
  builder.add(std::move(job));
}

Trace read(std::string text, const std::string& file, const Parameters& parameters) {
  const TraceCsv csv(std::move(text), file);
  const JobColumns columns(csv, parameters);
  TraceBuilder builder(file, "csv", WorkUnit::reference_seconds);
  builder.reserve(csv.rows());
  for (std::size_t row = 0; row < csv.rows(); ++row) read_row(csv, row, columns, builder);
  builder.sort_from_zero();
  builder.note("times and durations that are plain numbers are taken as seconds");
  return builder.take();
}

std::vector<ParameterInfo> column_parameters() {
  std::vector<ParameterInfo> parameters;
  for (const Meaning& each : kMeanings) parameters.push_back(text_parameter(each.key, each.summary));
  return parameters;
}

}  // namespace

std::vector<TraceFormat> plugin() {
  return {{{.id = "csv",
            .summary = "any CSV with a row a job: csv:submit=COLUMN:gpus=COLUMN:duration=COLUMN",
            .reference = "docs/traces.md",
            .parameters = column_parameters()},
           {},
           [](std::string_view text) {
             return has_columns(text, {"submit", "gpus", "duration"});
           },
           read}};
}

}  // namespace sextant::jobs::trace_csv
