// Slurm's accounting: what `sacct --parsable2` or `sacct --json` prints. Steps of jobs are left out, tasks of
// arrays are jobs of their own.
#include <algorithm>

#include "bar_table.h"
#include "calendar.h"
#include "sextant/core/text.h"
#include "slurm_job.h"

namespace sextant::jobs::trace_sacct {
namespace {

using Column = std::optional<std::size_t>;

bool not_known(std::string_view text) {
  const std::string word = to_lower(text);
  return word.empty() || word == "unknown" || word == "none" || word == "n/a";
}

class SacctTable {
 public:
  SacctTable(const std::string& text, const std::string& file) : table_(text, file), file_(file) {
    if (!id_) fail("the column JobID is missing");
    if (!submit_) fail("the column Submit is missing", near("Submit"));
    if (!allocated_ && !requested_)
      fail("the columns AllocTRES and ReqTRES are missing, and they say how many GPUs a job had");
    if (!raw_ && !elapsed_ && !(start_ && end_))
      fail("the column Elapsed is missing, and so is Start or End");
  }

  void read(SlurmTrace& trace) const {
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      // "123.batch", "123.extern", "123.0"
      if (text(row, id_).find('.') != std::string_view::npos)
        trace.skip_step();
      else
        trace.add(job(row));
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& near = {}) const {
    throw InputError({file_, 1, 1}, what, near + std::string(kSacctCommand));
  }
  // "is it 'Submited'? "
  [[nodiscard]] std::string near(std::string_view name) const {
    const auto nearest = nearest_name(name, table_.header());
    return nearest ? "is it '" + *nearest + "'? " : "";
  }
  [[nodiscard]] Column find(std::string_view name) const { return table_.find_column(name); }
  [[nodiscard]] std::string_view text(std::size_t row, Column column) const {
    return column ? table_.cell(row, *column) : std::string_view();
  }

  [[nodiscard]] std::optional<double> moment(std::size_t row, Column column) const {
    const std::string_view cell = text(row, column);
    if (not_known(cell)) return std::nullopt;
    if (const auto seconds = instant_seconds(cell)) return seconds;
    throw InputError(table_.where(row, *column), "'" + std::string(cell) + "' is no time",
                     "written 2024-01-05T10:00:00, or Unknown");
  }

  [[nodiscard]] std::optional<double> count(std::size_t row, Column column) const {
    const std::string_view cell = text(row, column);
    if (not_known(cell)) return std::nullopt;
    const auto value = to_number(cell);
    if (value && *value >= 0 && *value <= kLatestSecond) return value;
    throw InputError(table_.where(row, *column), "'" + std::string(cell) + "' is no length of time");
  }

  [[nodiscard]] std::optional<double> length(std::size_t row, Column column) const {
    const std::string_view cell = text(row, column);
    if (not_known(cell)) return std::nullopt;
    if (const auto seconds = clock_seconds(cell)) return seconds;
    throw InputError(table_.where(row, *column), "'" + std::string(cell) + "' is no length of time",
                     "written 1-02:03:04, which is a day, two hours, three minutes and four seconds");
  }

  [[nodiscard]] double limit(std::size_t row) const {
    const std::string word = to_lower(text(row, limit_));
    if (word == "unlimited" || word == "partition_limit" || word == "invalid") return 0;
    return length(row, limit_).value_or(0);
  }

  [[nodiscard]] SlurmResources resources(std::size_t row, Column column) const {
    if (!column) return {};
    return parse_slurm_resources(table_.cell(row, *column), table_.where(row, *column));
  }

  [[nodiscard]] SlurmJob job(std::size_t row) const {
    const std::string_view state = text(row, state_);
    SlurmJob job{.id = std::string(text(row, id_)),
                 .state = std::string(state.substr(0, state.find(' '))),  // "CANCELLED by 1000"
                 .user = std::string(text(row, user_)),
                 .submit_s = moment(row, submit_),
                 .at = table_.where(row, *id_)};
    const auto start = moment(row, start_);
    const auto end = moment(row, end_);
    job.start_s = start;
    job.started = !start_ || start.has_value();
    job.ended = !end_ || end.has_value();
    const auto stated = raw_ ? count(row, raw_) : length(row, elapsed_);
    job.elapsed_s = stated && *stated > 0 ? *stated : (start && end ? *end - *start : 0);
    job.limit_s = limit(row);
    job.allocated = resources(row, allocated_);
    job.requested = resources(row, requested_);
    return job;
  }

  BarTable table_;
  const std::string& file_;
  Column id_ = find("JobID");
  Column submit_ = find("Submit");
  Column start_ = find("Start");
  Column end_ = find("End");
  Column elapsed_ = find("Elapsed");
  Column raw_ = find("ElapsedRaw");
  Column state_ = find("State");
  Column user_ = find("User");
  Column limit_ = find("Timelimit");
  Column allocated_ = find("AllocTRES");
  Column requested_ = find("ReqTRES");
};

bool is_json(std::string_view text) {
  return first_line(text).starts_with('{');
}

bool detects(std::string_view text) {
  if (!is_json(text)) {
    const std::vector<std::string> header = split(first_line(text).substr(0, 10'000), '|');
    const auto has = [&](std::string_view name) { return std::ranges::find(header, name) != header.end(); };
    return has("JobID") && header.size() > 1;
  }
  const std::string_view begin = text.substr(0, 65'536);
  const auto mentions = [&](std::string_view word) { return begin.find(word) != std::string_view::npos; };
  return mentions("\"jobs\"") && mentions("\"job_id\"");
}

Trace read(std::string given, const std::string& file, const Parameters& parameters) {
  const std::string text = std::move(given);
  SlurmTrace trace(file, parameters.flag("types"));
  if (is_json(text))
    read_sacct_json(text, file, trace);
  else
    SacctTable(text, file).read(trace);
  return trace.take();
}

}  // namespace

std::vector<TraceFormat> plugin() {
  return {{{.id = "sacct",
            .summary = "Slurm's accounting: the output of sacct with bars between fields, or as JSON",
            .reference = "slurm.schedmd.com/sacct.html",
            .parameters = {flag_parameter(
                "types", "1: jobs keep the types of GPU that they asked for; 0: any type will do", false)}},
           {"slurm"},
           detects,
           read}};
}

}  // namespace sextant::jobs::trace_sacct
