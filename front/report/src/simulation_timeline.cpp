#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

#include "sextant/report/simulation_report.h"

namespace sextant::report {
namespace {

constexpr double kMicro = 1e6;  // the format counts microseconds

const char* reason_text(char why) {
  switch (why) {
    case 'e':
      return "ended";
    case 'p':
      return "stopped by the policy";
    case 'c':
      return "crash";
    default:
      return "still running";
  }
}

// Slices of one track must not overlap, and a node runs several jobs: each gets a lane of its node that is
// free.
class Lanes {
 public:
  struct Lane {
    std::int64_t track = 0;
    bool fresh = false;
  };
  Lane take(const simulate::Segment& s) {
    std::vector<double>& free_from = nodes_[{s.type, s.node}];
    const auto found = std::ranges::find_if(free_from, [&](double t) { return t <= s.begin.value; });
    const bool fresh = found == free_from.end();
    const auto lane = static_cast<std::int64_t>(found - free_from.begin());
    if (fresh) free_from.push_back(0);
    free_from[static_cast<std::size_t>(lane)] = s.end.value;
    return {.track = s.node * kLanesPerNode + lane, .fresh = fresh};
  }
  static std::string name(std::int64_t track) {
    return "node " + std::to_string(track / kLanesPerNode) + ", lane " +
           std::to_string(track % kLanesPerNode);
  }

 private:
  static constexpr std::int64_t kLanesPerNode = 1000;
  std::map<std::pair<std::int32_t, std::int32_t>, std::vector<double>> nodes_;
};

Json slice(const simulate::SweepRun& run, const simulate::Segment& s, std::size_t process) {
  const simulate::SimJob& job = run.jobs->jobs[static_cast<std::size_t>(s.job)];
  Json json;
  json["name"] = "job " + run.trace->jobs[static_cast<std::size_t>(job.source)].id;
  json["cat"] = "job";
  json["ph"] = "X";
  json["pid"] = process;
  json["ts"] = std::round(s.begin.value * kMicro);
  json["dur"] = std::round((s.end - s.begin).value * kMicro);
  json["args"] = {{"gpus", job.gpus}, {"nodes", s.nodes}, {"until", reason_text(s.why)}};
  return json;
}

Json named(std::size_t process, const std::string& name) {
  return {{"name", "process_name"}, {"ph", "M"}, {"pid", process}, {"args", {{"name", name}}}};
}

Json named_track(std::size_t process, std::int64_t track) {
  return {{"name", "thread_name"},
          {"ph", "M"},
          {"pid", process},
          {"tid", track},
          {"args", {{"name", Lanes::name(track)}}}};
}

Json counter(const simulate::SeriesPoint& point, std::size_t process) {
  return {{"name", "cluster"},
          {"ph", "C"},
          {"pid", process},
          {"ts", std::round(point.time.value * kMicro)},
          {"args", {{"GPUs held", point.used}, {"jobs waiting", point.waiting}}}};
}

// Elements of one array, written as they come: a whole trace may be larger than memory.
class EventWriter {
 public:
  explicit EventWriter(std::ostream& out) : out_(out) { out_ << "{\"traceEvents\":[\n"; }
  void write(const Json& json) {
    if (!first_) out_ << ",\n";
    first_ = false;
    out_ << json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  void finish() { out_ << "\n],\"displayTimeUnit\":\"ms\"}\n"; }

 private:
  std::ostream& out_;
  bool first_ = true;
};

// Types are processes, from `first` on.
void write_segments(EventWriter& writer, const simulate::SweepRun& run, std::size_t first) {
  std::vector<simulate::Segment> segments = run.result.segments;
  std::ranges::stable_sort(segments, {}, &simulate::Segment::begin);
  Lanes lanes;
  for (const simulate::Segment& s : segments) {
    const std::size_t process = first + static_cast<std::size_t>(s.type);
    const Lanes::Lane lane = lanes.take(s);
    if (lane.fresh) writer.write(named_track(process, lane.track));
    Json json = slice(run, s, process);
    json["tid"] = lane.track;
    writer.write(json);
  }
}

}  // namespace

void write_timeline(std::ostream& out, const simulate::SweepPlan& plan,
                    const std::vector<simulate::SweepRun>& runs) {
  EventWriter writer(out);
  std::size_t process = 0;  // of the run's counters; its types follow
  for (const simulate::SweepRun& run : runs) {
    if (!run.done) continue;
    const clusters::Cluster& cluster = plan.clusters[run.cluster];
    writer.write(named(process, ask::run_name(plan, run)));
    for (const simulate::SeriesPoint& point : run.result.series) writer.write(counter(point, process));
    for (std::size_t t = 0; t < cluster.pools.size(); ++t) {
      writer.write(
          named(process + 1 + t, ask::run_name(plan, run) + ": " + cluster.pools[t].type + " nodes"));
    }
    write_segments(writer, run, process + 1);
    process += 1 + cluster.pools.size();
  }
  writer.finish();
}

}  // namespace sextant::report
