#include "sextant/jobs/trace_summary.h"

#include <algorithm>
#include <set>

#include "sextant/core/error.h"
#include "sextant/core/text.h"
#include "sextant/stats/quantiles.h"

namespace sextant::jobs {
namespace {

constexpr double kLongestDuration = 1e18;  // s; a sum over any trace stays finite

SampleFigures figures_of(std::vector<double> values) {
  std::ranges::sort(values);
  SampleFigures figures;
  for (const double value : values) figures.mean += value / static_cast<double>(values.size());
  figures.low = values.front();
  figures.p10 = stats::sorted_quantile(values, 0.1);
  figures.median = stats::sorted_quantile(values, 0.5);
  figures.p90 = stats::sorted_quantile(values, 0.9);
  figures.p99 = stats::sorted_quantile(values, 0.99);
  figures.high = values.back();
  return figures;
}

std::optional<double> gap_variation(const Trace& trace, double span) {
  const auto gaps = static_cast<double>(trace.jobs.size()) - 1;
  if (gaps < 2 || span <= 0) return std::nullopt;
  const double mean = span / gaps;
  double squares = 0;
  for (std::size_t i = 1; i < trace.jobs.size(); ++i) {
    const double departure = trace.jobs[i].arrival_s - trace.jobs[i - 1].arrival_s - mean;
    squares += departure * departure;
  }
  return squares / gaps / (mean * mean);
}

void count(const Trace& trace, TraceSummary& summary) {
  std::set<std::int32_t> users;
  std::set<std::int32_t> models;
  double gpus = 0;
  for (const TraceJob& job : trace.jobs) {
    gpus += job.gpus;
    ++summary.gangs[job.gpus];
    if (job.user >= 0) users.insert(job.user);
    if (job.model >= 0) models.insert(job.model);
    summary.with_deadline += job.deadline_s < std::numeric_limits<double>::infinity() ? 1 : 0;
    summary.sharing += job.gpu_share < 1 ? 1 : 0;
  }
  summary.mean_gpus = gpus / static_cast<double>(trace.jobs.size());
  summary.most_gpus = summary.gangs.rbegin()->first;
  summary.users = static_cast<std::int64_t>(users.size());
  summary.models = static_cast<std::int64_t>(models.size());
}

}  // namespace

std::optional<double> TraceSummary::offered_load(double gpus) const {
  if (!gpu_hours || !(span_s > 0) || jobs < 2 || !(gpus > 0)) return std::nullopt;
  const double arrivals_per_s = static_cast<double>(jobs - 1) / span_s;
  return arrivals_per_s * (*gpu_hours * 3600 / static_cast<double>(jobs)) / gpus;
}

std::optional<std::vector<double>> reference_durations(const Trace& trace, const ThroughputTable* table,
                                                       std::string_view type) {
  const bool by_table = trace.unit == WorkUnit::steps && table != nullptr;
  const auto place = by_table ? table->find_type(type) : std::nullopt;
  if (by_table && !place) {
    throw InputError(at_field("reference"),
                     "the table of throughputs has no type '" + std::string(type) + "'",
                     name_hint(type, table->types()));
  }
  std::vector<double> seconds;
  for (const TraceJob& job : trace.jobs) {
    double duration = trace.unit == WorkUnit::reference_seconds ? job.work : job.estimate_s;
    if (by_table && job.model >= 0) {
      const auto key = table->find_key(trace.models.at(static_cast<std::size_t>(job.model)), job.gpus);
      const double speed = key ? table->alone(*place, *key) : 0;
      if (speed > 0) duration = job.work / speed;
    }
    if (!(duration > 0)) return std::nullopt;
    if (duration > kLongestDuration) {
      throw InputError({trace.source, static_cast<int>(job.line), 1},
                       "job " + job.id + " would take " + number_text(duration) +
                           " s at the speed of the table, longer than any job can",
                       "is the speed of its model in steps per second?");
    }
    seconds.push_back(duration);
  }
  return seconds;
}

TraceSummary summarize(const Trace& trace, const std::optional<std::vector<double>>& durations) {
  if (trace.jobs.empty()) throw InputError({trace.source}, "the trace has no jobs");
  TraceSummary summary{.source = trace.source, .format = trace.format, .unit = trace.unit};
  summary.rows = trace.rows;
  summary.jobs = static_cast<std::int64_t>(trace.jobs.size());
  summary.dropped = trace.dropped;
  summary.notes = trace.notes;
  summary.span_s = trace.jobs.back().arrival_s - trace.jobs.front().arrival_s;
  summary.gap_scv = gap_variation(trace, summary.span_s);
  count(trace, summary);
  std::vector<double> work;
  for (const TraceJob& job : trace.jobs) work.push_back(job.work);
  summary.work = figures_of(std::move(work));
  if (!durations) return summary;
  double gpu_seconds = 0;
  for (std::size_t i = 0; i < trace.jobs.size(); ++i) {
    gpu_seconds += durations->at(i) * trace.jobs[i].gpus * trace.jobs[i].gpu_share;
  }
  summary.duration = figures_of(*durations);
  summary.gpu_hours = gpu_seconds / 3600;
  return summary;
}

}  // namespace sextant::jobs
