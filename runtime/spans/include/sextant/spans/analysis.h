// What the spans of a training run say: where the time of an iteration goes, which worker holds the others
// up, which iterations were slow and why, and how much a faster part would save. Dependencies as in Daydream
// (Zhu et al., ATC 2020): order on a thread, and collectives that join all ranks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sextant/spans/span.h"

namespace sextant::spans {

// A stretch of the critical path of the median iteration.
struct PathStep {
  std::int64_t process = 0;
  std::string name;
  double seconds = 0;
};

struct PhaseShare {
  std::string name;      // input, forward, backward, communication, optimizer, other; names of other spans
  double seconds = 0;    // median over iterations and workers, of the whole phase
  double exposed_s = 0;  // of it, while the training thread did nothing else
  double critical_share = 0;  // of the critical path
};

struct Straggler {
  std::int64_t process = 0;
  std::string phase;
  double late_s = 0;            // median time behind the median worker at the barrier
  double robust_z = 0;          // 0.6745 (x - median) / MAD
  std::int64_t iterations = 0;  // flagged, in at least three of five in a row
};

struct SlowIteration {
  std::int64_t iteration = 0;
  std::int64_t process = 0;
  std::string phase;
  std::int64_t at_ns = 0;  // since 1970
  double seconds = 0;      // of the phase
  double usual_s = 0;
  double robust_z = 0;
};

// Phases, "compute" (forward, backward, optimizer), or "stragglers": no worker slower than the median one.
struct WhatIf {
  std::string phase;
  double factor = 2;       // so many times as fast; infinite: gone
  double iteration_s = 0;  // then
  double saved_share = 0;  // of the iteration
};

struct SpanAnalysis {
  std::int64_t iterations = 0;  // that are analysed
  std::int64_t recorded = 0;    // iterations that some worker has, those left out at the start included
  std::int64_t begin_ns = 0;    // of the recording, since 1970
  std::int64_t workers = 0;
  double iteration_s = 0;  // median over iterations, of the slowest worker
  double retimed_s = 0;    // the same, of the graph of dependencies timed again: what-ifs start from it
  std::vector<PhaseShare> phases;
  std::vector<PathStep> critical_path;
  std::vector<Straggler> stragglers;
  std::vector<SlowIteration> slow;
  std::vector<WhatIf> what_if;
  std::vector<std::string> warnings = {};  // "the graph gives 12 ms where 10 ms were measured: …"
};

struct SpanQuestions {
  std::int64_t skip = 0;             // first iterations, as warm-up
  std::vector<WhatIf> what_if = {};  // phase and factor; empty: the usual ones
};

// InputError where there is no complete iteration, and for questions about what nobody knows.
SpanAnalysis analyze_spans(const SpanSet& set, const SpanQuestions& questions = {});

}  // namespace sextant::spans
