// What came of a trial: what every process says of itself, as they write it to files, and the driver's
// reading of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sextant/core/error.h"
#include "sextant/core/json.h"

namespace sextant::measure {

// Wall-clock parts of one iteration of one worker, seconds.
struct IterationTimes {
  double total_s = 0;
  double input_s = 0;  // waiting for the batch
  double forward_s = 0;
  double backward_s = 0;               // without the time that it waited for communication
  double communication_s = 0;          // on the wire, wherever it ran
  double exposed_communication_s = 0;  // of it, while the training thread waited
  double optimizer_s = 0;
};

// Bytes that one process sent. Counted by the kernel where there are sockets, by payload where there are
// none.
struct WireBytes {
  double payload = 0;                 // handed to collectives or messages
  double theoretical = 0;             // what the algorithm puts on the wire for this payload
  std::optional<double> kernel = {};  // the kernel's counters of this process's TCP connections
};

// Time and traffic of one operator of the graph, measured alone.
struct OperatorTiming {
  std::int64_t node = 0;  // id in the graph
  std::string name;
  std::string type;
  double forward_s = 0;   // median
  double backward_s = 0;  // 0 where nothing runs backward
  double bytes = 0;       // read and written forward: inputs, weights, output
  double flop = 0;        // forward
};

// What a process found wrong with what it was given, such as an image that cannot be read.
struct BadInput {
  SourcePos at;
  std::string message;
  std::string hint = {};
};

struct WorkerReport {
  std::int64_t rank = 0;
  std::string role;  // "worker", "server"
  std::string host;
  std::int64_t pid = 0;
  std::vector<IterationTimes> iterations;  // with the warm-up; empty for servers
  std::vector<double> losses;              // one for each iteration, of this worker's samples
  WireBytes bytes;                         // over the measured iterations
  double peak_rss_bytes = 0;
  std::optional<double> accuracy = {};  // on the test set, of rank 0
  std::vector<OperatorTiming> operators = {};
  std::int64_t first_iteration = 0;                                // not 0 after a restart from a checkpoint
  std::string error = {};                                          // not empty: it failed, and this is why
  std::optional<BadInput> bad_input = {};                          // it failed because of this
  std::vector<std::pair<std::string, std::string>> versions = {};  // torch, gloo, mpi
};

Json to_json(const WorkerReport& report);
WorkerReport worker_report_from_json(const std::string& text, const std::string& file_name);

// A process that went away while others worked, or answered no more.
struct Failure {
  std::int64_t rank = 0;
  std::int64_t iteration = 0;      // that it had finished
  std::string what;                // "killed by signal 9", "no sign of life for 30 s", "exit 1: …"
  double noticed_s = 0;            // after its last sign of life
  std::int64_t resumed_from = -1;  // iteration of the checkpoint that training went on from; -1: it did not
};

struct TrialOutcome {
  std::vector<WorkerReport> ranks;  // by rank, of the attempt that ended well
  std::vector<Failure> failures;
  bool completed = false;
};

}  // namespace sextant::measure
