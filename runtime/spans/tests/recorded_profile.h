// Recordings as PyTorch's profiler exports them, written by hand.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sextant::spans::test {

struct ProfileOptions {
  std::int64_t rank = 0;
  std::vector<std::int64_t> lengths = {1000, 1000, 1000, 1500, 1000};  // of the steps, us
  std::int64_t first_step = 3;
  bool steps = true;  // marked
};

// The frame of the recording, an arrow, a name: no work.
inline nlohmann::json other_events() {
  const nlohmann::json frame = {{"ph", "X"},
                                {"cat", "Trace"},
                                {"name", "PyTorch Profiler (0)"},
                                {"pid", "Spans"},
                                {"tid", "PyTorch Profiler"},
                                {"ts", 0},
                                {"dur", 9e9}};
  const nlohmann::json arrow = {{"ph", "s"},  {"cat", "ac2g"}, {"name", "ac2g"},  {"id", 1},
                                {"pid", 100}, {"tid", 101},    {"ts", 5000000120}};
  const nlohmann::json name = {{"ph", "M"},  {"name", "thread_name"},
                               {"pid", 100}, {"tid", 101},
                               {"ts", 0},    {"args", {{"name", "thread 101 (python)"}}}};
  return {frame, arrow, name};
}

// One GPU. In each step, in us from its start: the loader reads (0 to 100, with an operator inside), a batch
// is copied to the device (150 to 200), a convolution that a call of 120 to 130 launched runs (200 to 600),
// and a collective runs on another stream (500 to 800); what is left of the step is idle.
inline nlohmann::json gpu_profile(const ProfileOptions& options = {}) {
  nlohmann::json events = nlohmann::json::array();
  const auto add = [&](const char* category, const std::string& name, std::pair<int, int> track,
                       std::pair<std::int64_t, std::int64_t> time, nlohmann::json args) {
    events.push_back({{"ph", "X"},
                      {"cat", category},
                      {"name", name},
                      {"pid", track.first},
                      {"tid", track.second},
                      {"ts", time.first},
                      {"dur", time.second - time.first},
                      {"args", std::move(args)}});
  };
  const std::pair cpu = {100, 101};
  const std::pair stream = {0, 7};
  const std::pair other = {0, 20};
  std::int64_t at = 5'000'000'000;
  std::int64_t number = options.first_step;
  for (const std::int64_t length : options.lengths) {
    const auto from = [&](std::int64_t start, std::int64_t end) { return std::pair{at + start, at + end}; };
    const std::int64_t id = 10 * number;
    if (options.steps)
      add("user_annotation", "ProfilerStep#" + std::to_string(number), cpu, from(0, length), {});
    add("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", cpu, from(0, 100),
        {});
    add("cpu_op", "aten::stack", cpu, from(10, 60), {{"External id", id}});
    add("cpu_op", "aten::conv2d", cpu, from(100, 300), {{"External id", id + 1}, {"Input Dims", {{1, 3}}}});
    add("cpu_op", "aten::cudnn_convolution", cpu, from(110, 290), {{"External id", id + 2}});
    add("cuda_runtime", "cudaLaunchKernel", cpu, from(120, 130),
        {{"correlation", id}, {"External id", id + 2}});
    add("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", stream, from(150, 200), {{"stream", 7}});
    add("kernel", "sgemm", stream, from(200, 600), {{"correlation", id}, {"stream", 7}});
    add("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(args)", other, from(500, 800), {{"stream", 20}});
    add("gpu_user_annotation", "ProfilerStep#" + std::to_string(number), stream, from(150, 800), {});
    at += length;
    ++number;
  }
  for (const nlohmann::json& event : other_events()) events.push_back(event);
  return {{"schemaVersion", 1},
          {"deviceProperties", {{{"id", 0}, {"name", "Tesla V100"}}}},
          {"distributedInfo", {{"backend", "nccl"}, {"rank", options.rank}, {"world_size", 2}}},
          {"traceEvents", std::move(events)},
          {"traceName", "trace.json"}};
}

// What a build without Kineto exports, of two steps of 100 us: an operator that calls another (10 to 50), and
// an all-reduce on a thread of its own (30 to 70).
inline std::string legacy_profile() {
  return R"([{"name": "ProfilerStep#0", "ph": "X", "ts": 0, "dur": 100, "tid": 1, "pid": "CPU functions", "args": {}},
 {"name": "aten::linear", "ph": "X", "ts": 10, "dur": 40, "tid": 1, "pid": "CPU functions", "args": {}},
 {"name": "aten::addmm", "ph": "X", "ts": 20, "dur": 25, "tid": 1, "pid": "CPU functions", "args": {}},
 {"name": "gloo:all_reduce", "ph": "X", "ts": 30, "dur": 40, "tid": 4, "pid": "CPU functions", "args": {}},
 {"name": "ProfilerStep#1", "ph": "X", "ts": 100, "dur": 100, "tid": 1, "pid": "CPU functions", "args": {}},
 {"name": "aten::linear", "ph": "X", "ts": 110, "dur": 40, "tid": 1, "pid": "CPU functions", "args": {}},
 {"name": "aten::addmm", "ph": "X", "ts": 120, "dur": 25, "tid": 1, "pid": "CPU functions", "args": {}},
 {"name": "gloo:all_reduce", "ph": "X", "ts": 130, "dur": 40, "tid": 4, "pid": "CPU functions", "args": {}}])";
}

}  // namespace sextant::spans::test
