#include "philly_log.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "calendar.h"
#include "json_stream.h"
#include "trace_csv.h"

namespace sextant::jobs {
namespace {

enum class Level { jobs, job, attempts, attempt, detail, machine, gpus, other };

struct Attempt {
  std::optional<double> start_s, end_s;
  std::int32_t gpus = 0;
};

struct LoggedJob {
  std::string id, vc;
  std::optional<double> submitted_s;
  std::vector<Attempt> attempts;
  std::int64_t line = 0;
};

class PhillyEvents : public nlohmann::json_sax<nlohmann::json> {
 public:
  PhillyEvents(const std::string& text, const std::string& file, PhillyReading reading)
      : text_(text), file_(file), reading_(reading), builder_(file, "philly", WorkUnit::reference_seconds) {}

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return gpu(); }
  bool number_unsigned(std::uint64_t) override { return gpu(); }
  bool number_float(double, const std::string&) override { return true; }
  bool binary(nlohmann::json::binary_t&) override { return true; }

  bool string(std::string& value) override {
    if (value.find('\0') != std::string::npos) fail("a NUL byte in a name");
    if (at(Level::job) && key_ == "jobid") job_.id = value;
    if (at(Level::job) && key_ == "vc") job_.vc = value;
    if (at(Level::job) && key_ == "submitted_time") job_.submitted_s = time(value);
    if (at(Level::attempt) && key_ == "start_time") job_.attempts.back().start_s = time(value);
    if (at(Level::attempt) && key_ == "end_time") job_.attempts.back().end_s = time(value);
    return gpu();
  }
  bool key(std::string& name) override {
    key_ = name;
    return true;
  }
  bool start_array(std::size_t) override {
    Level level = levels_.empty() ? Level::jobs : Level::other;
    if (at(Level::job) && key_ == "attempts") level = Level::attempts;
    if (at(Level::attempt) && key_ == "detail") level = Level::detail;
    if (at(Level::machine) && key_ == "gpus") level = Level::gpus;
    levels_.push_back(level);
    return true;
  }
  bool start_object(std::size_t) override {
    if (levels_.empty()) fail("a log of jobs is a list", "[{\"jobid\": ..., \"attempts\": [...]}, ...]");
    Level level = Level::other;
    if (at(Level::jobs)) {
      level = Level::job;
      job_ = {};
      job_.line = line();
    } else if (at(Level::attempts)) {
      level = Level::attempt;
      job_.attempts.emplace_back();
    } else if (at(Level::detail)) {
      level = Level::machine;
    }
    levels_.push_back(level);
    return true;
  }
  bool end_array() override {
    levels_.pop_back();
    return true;
  }
  bool end_object() override {
    if (at(Level::job)) finish_job();
    levels_.pop_back();
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    fail("this is not JSON: " + json_reason(error.what()));
  }

  Trace read() {
    const char* begin = text_.data();
    const char* end = begin + text_.size();
    nlohmann::json::sax_parse(CountingIterator(begin, begin, &end_), CountingIterator(end, begin, &end_),
                              this);
    builder_.note("users are virtual clusters; jobs that failed or were killed count with the time they ran");
    builder_.sort_from_zero();
    return builder_.take();
  }

 private:
  [[nodiscard]] bool at(Level level) const { return !levels_.empty() && levels_.back() == level; }

  bool gpu() {
    const bool counts = at(Level::gpus) && levels_.size() > 3 && job_.attempts.back().gpus < kMostTraceGpus;
    if (counts) ++job_.attempts.back().gpus;
    return true;
  }

  // "None" where it was not recorded.
  std::optional<double> time(const std::string& text) const {
    if (text.empty() || text == "None") return std::nullopt;
    const std::optional<double> seconds = calendar_seconds(text);
    if (!seconds) fail("'" + text + "' is no time", "written 2017-10-09 05:51:33, or None");
    return seconds;
  }

  void finish_job() {
    const auto has_gpu = [](const Attempt& attempt) { return attempt.gpus > 0; };
    builder_.row();
    if (!job_.submitted_s) return builder_.drop(kNoSubmission);
    if (job_.attempts.empty()) return builder_.drop(kNeverStarted);
    if (std::ranges::none_of(job_.attempts, has_gpu)) return builder_.drop(kWithoutGpu);
    if (!job_.attempts.back().end_s) return builder_.drop(kStillRunning);
    if (reading_ == PhillyReading::jobs) {
      add_job();
    } else {
      add_attempts();
    }
  }

  void add_job() {
    TraceJob job{.id = job_.id, .arrival_s = *job_.submitted_s, .line = job_.line};
    for (const Attempt& attempt : job_.attempts) {
      job.gpus = std::max(job.gpus, attempt.gpus);
      if (attempt.start_s && attempt.end_s) job.work += std::max(0.0, *attempt.end_s - *attempt.start_s);
    }
    add(std::move(job));
  }

  void add_attempts() {
    double arrival = *job_.submitted_s;
    for (std::size_t i = 0; i < job_.attempts.size(); ++i) {
      const Attempt& attempt = job_.attempts[i];
      TraceJob job{.id = i == 0 ? job_.id : job_.id + "#" + std::to_string(i + 1),
                   .arrival_s = arrival,
                   .gpus = std::max(1, attempt.gpus),
                   .line = job_.line};
      if (attempt.start_s && attempt.end_s) job.work = *attempt.end_s - *attempt.start_s;
      arrival = std::max(arrival, attempt.end_s.value_or(arrival));
      add(std::move(job));
    }
  }

  void add(TraceJob job) {
    if (!(job.work > 0)) return builder_.drop(kNoRunTime);
    if (!job_.vc.empty()) job.user = builder_.user(job_.vc);
    builder_.add(std::move(job));
  }

  std::int64_t line() {
    const std::size_t end = std::min(end_, text_.size());
    line_ += std::count(text_.data() + counted_, text_.data() + end, '\n');
    counted_ = end;
    return line_;
  }

  [[noreturn]] void fail(const std::string& what, const std::string& hint = {}) const {
    const std::size_t end = std::min(end_, text_.size());
    throw InputError(position_in(text_, end > 0 ? end - 1 : 0, file_), what, hint);
  }

  const std::string& text_;
  const std::string& file_;
  PhillyReading reading_;
  TraceBuilder builder_;
  std::vector<Level> levels_;
  std::string key_;
  LoggedJob job_;
  std::size_t end_ = 0;  // of what was read
  std::size_t counted_ = 0;
  std::int64_t line_ = 1;
};

}  // namespace

Trace read_philly_log(const std::string& text, const std::string& file, PhillyReading reading) {
  return PhillyEvents(text, file, reading).read();
}

}  // namespace sextant::jobs
