// What PyTorch's profiler exports (torch.profiler, export_chrome_trace): Chrome events whose process is the
// operating system's for work of the CPU and the number of the device for work of a GPU, whose thread is then
// its stream. One file is one rank. Builds without Kineto write a bare list with "CPU functions" and
// "CUDA functions" for processes, and no categories.
#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "chrome_fields.h"
#include "profile_events.h"
#include "sextant/core/text.h"
#include "span_readers.h"
#include "span_values.h"

namespace sextant::spans {
namespace {

constexpr int kLooked = 100;  // events, to see what a file is
constexpr const char* kLegacyCpu = "CPU functions";
constexpr const char* kLegacyDevice = "CUDA functions";
// The rest (shapes, stacks, sizes of grids) is left in the file: it takes more room than all spans.
constexpr std::array kKeptArguments = {kExternalId, kCorrelation,      "bytes",
                                       "device",    "Collective name", "Sequence number"};

bool is_legacy(const Json& event) {
  const std::string process = text_member(event, "pid");
  return process == kLegacyCpu || process == kLegacyDevice;
}

// "trace.rank3.json", "rank_3", "rank-03": 3.
std::optional<std::int64_t> rank_in_name(const std::string& file_name) {
  const std::string name = to_lower(file_name.substr(file_name.rfind('/') + 1));
  const std::size_t word = name.rfind("rank");
  if (word == std::string::npos) return std::nullopt;
  std::size_t from = word + 4;
  if (from < name.size() && (name[from] == '-' || name[from] == '_' || name[from] == '.')) ++from;
  std::size_t to = from;
  while (to < name.size() && name[to] >= '0' && name[to] <= '9') ++to;
  return to_integer(name.substr(from, to - from));
}

class ProfileReader {
 public:
  ProfileReader(const JsonScan& scan, const ProfileHeader& header, SpansRead& read)
      : scan_(scan), rank_(header.rank), read_(read) {
    if (const auto named = rank_in_name(scan.file())) rank_ = *named;
    if (header.distributed) rank(*header.distributed);
    if (header.base) base(*header.base);
  }

  std::size_t event(std::size_t at) {
    at_ = at;
    const std::size_t end = scan_.skip(at);
    const Json json = event_at(scan_, at, end);
    const std::string phase = text_member(json, "ph");
    if (phase == "X") complete(json);
    if (phase == "M") name(json);
    return end;
  }

  // The thread of the steps comes first, as everywhere; then in the order of appearance.
  void close() {
    const auto steps = std::ranges::find_if(
        read_.set.spans, [](const Span& span) { return span.name.starts_with("ProfilerStep#"); });
    if (steps != read_.set.spans.end() && steps->thread != 0) {
      const std::int64_t first = steps->thread;
      const auto swapped = [first](std::int64_t thread) {
        return thread == 0 ? first : thread == first ? 0 : thread;
      };
      for (Span& span : read_.set.spans) span.thread = swapped(span.thread);
      for (auto& [key, track] : tracks_) track.number = swapped(track.number);
    }
    for (const auto& [key, track] : tracks_) read_.set.threads[{rank_, track.number}] = name_of(key, track);
    read_.set.processes[rank_] = "rank " + std::to_string(rank_);
  }

 private:
  struct TrackKey {
    std::string process;
    std::string thread;
    bool device;
    auto operator<=>(const TrackKey&) const = default;
  };
  struct Track {
    std::int64_t number = 0;
  };

  void rank(std::size_t at) {
    const Json json = scan_.value(at, scan_.skip(at));
    if (!json.is_object() || !json.contains("rank")) return;
    const auto value = integer_of(json.at("rank"));
    if (!value || *value < 0) scan_.fail(at, "'rank' is no number of a process");
    rank_ = *value;
  }

  void base(std::size_t at) {
    const auto value = integer_of(scan_.value(at, scan_.skip(at)));
    if (!value) scan_.fail(at, "'baseTimeNanoseconds' is no number of nanoseconds");
    base_ = *value;
  }

  static std::string word(const Json& json, const char* name) {
    const auto found = json.find(name);
    return found == json.end() ? std::string() : plain_text(*found);
  }
  static std::string argument(const Json& json, const char* name) {
    const Json* args = event_arguments(json);
    return args == nullptr ? std::string() : word(*args, name);
  }

  static std::string category_of_event(const Json& json) {
    if (!is_legacy(json)) return category_of(text_member(json, "cat"));
    const std::string name = text_member(json, "name");
    if (text_member(json, "pid") == kLegacyDevice) {
      return name.starts_with("Memcpy") ? "gpu_memcpy" : name.starts_with("Memset") ? "gpu_memset" : "kernel";
    }
    return names_an_annotation(name) ? "user_annotation" : "cpu_op";
  }

  // Work of a GPU says its device and stream again in its arguments, some of it nowhere else.
  [[nodiscard]] TrackKey track_of(const Json& json, bool device) const {
    TrackKey key{.process = word(json, "pid"), .thread = word(json, "tid"), .device = device};
    if (device && key.process.empty()) key.process = argument(json, "device");
    if (device && key.thread.empty()) key.thread = argument(json, "stream");
    return key;
  }

  void complete(const Json& json) {
    const std::string category = category_of_event(json);
    if (category.empty()) return;
    Span span;
    span.name = text_member(json, "name");
    span.process = rank_;
    const bool device = is_device_category(category) || category == "gpu_user_annotation";
    span.thread =
        tracks_.try_emplace(track_of(json, device), Track{std::ssize(tracks_)}).first->second.number;
    span.start_ns = sum_of_times(scan_, at_, base_, nanoseconds_member(scan_, at_, json, "ts"));
    // What had not ended when the recording did has no length, or a negative one.
    std::int64_t duration = json.contains("dur") ? nanoseconds_member(scan_, at_, json, "dur") : 0;
    duration = std::max<std::int64_t>(duration, 0);
    span.end_ns = sum_of_times(scan_, at_, span.start_ns, duration);
    check_times(scan_, at_, span);
    span.attributes.emplace_back(kCategory, category);
    keep_arguments(json, span);
    read_.set.spans.push_back(std::move(span));
  }

  static void keep_arguments(const Json& json, Span& span) {
    const Json* args = event_arguments(json);
    if (args == nullptr) return;
    for (const char* name : kKeptArguments) {
      const auto found = args->find(name);
      if (found != args->end()) span.attributes.emplace_back(name, from_plain_value(*found));
    }
  }

  void name(const Json& json) {
    if (text_member(json, "name") != "thread_name") return;
    const std::string name = argument(json, "name");
    if (!name.empty()) names_[{word(json, "pid"), word(json, "tid")}] = name;
  }

  [[nodiscard]] std::string name_of(const TrackKey& key, const Track& track) const {
    const auto given = names_.find({key.process, key.thread});
    if (key.device && key.process == kLegacyDevice) return "GPU " + key.thread;
    if (key.device) return "GPU " + key.process + ", stream " + key.thread;
    if (given != names_.end()) return given->second;
    return track.number == 0 ? usual_thread_name(0) : "thread " + key.thread;
  }

  const JsonScan& scan_;
  std::int64_t rank_;
  std::int64_t base_ = 0;  // ns
  SpansRead& read_;
  std::map<TrackKey, Track> tracks_;
  std::map<std::pair<std::string, std::string>, std::string> names_;  // of threads, by process and thread
  std::size_t at_ = 0;                                                // of the event, for messages
};

}  // namespace

bool holds_a_profile(const JsonScan& scan, std::size_t events) {
  if (scan.peek(events) != '[') return false;
  std::size_t at = scan.space(events + 1);
  for (int i = 0; i < kLooked && scan.peek(at) == '{'; ++i) {
    const std::size_t end = scan.skip(at);
    const Json json = scan.value(at, end);
    if (is_legacy(json) || !category_of(text_member(json, "cat")).empty()) return true;
    at = scan.space(end);
    if (scan.peek(at) != ',') return false;
    at = scan.space(at + 1);
  }
  return false;
}

void read_profile(const JsonScan& scan, std::size_t events, const ProfileHeader& header, SpansRead& read) {
  ProfileReader reader(scan, header, read);
  scan.each_element(
      events, [&](std::size_t at) { return reader.event(at); }, header.bare);
  reader.close();
}

}  // namespace sextant::spans
