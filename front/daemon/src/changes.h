// Changes of the books, each with what it writes to the store and to history. They run within Ledger::change,
// and throw Refusal before they have changed anything.
#pragma once

#include <string>

#include "api.h"
#include "ledger.h"
#include "planning.h"
#include "sextant/http/route.h"

namespace sextant::daemon {

// An answer that repetitions of the request get too: the same key with another request is refused (409).
http::Response answered_once(Page& page, const std::string& key, const std::string& asked,
                             const std::function<http::Response()>& answer);

http::Response submit(Page& page, JobOrder order);
http::Response report_progress(Page& page, const std::string& id, double done);
struct Finish {
  Phase outcome = Phase::finished;
  std::string reason = {};
};
http::Response finish(Page& page, const std::string& id, const Finish& finish);
http::Response cancel(Page& page, const std::string& id, const std::string& reason);
void replace_nodes(Page& page, NodesOrder order);
// Whether these are the machine types and nodes that are known already.
bool same_nodes(const Books& books, const NodesOrder& order);

struct DecisionNote {
  std::string method;
  Seconds solve{};
  Dollars cost{};
};
// Records the decision and its steps, if there are any; how many.
std::size_t adopt(Page& page, const NamedDecision& decision, const DecisionNote& note);

// What became of the first step that is open.
struct StepOutcome {
  bool done = true;
  std::string text = {};         // why not; what the cluster calls it
  bool adopted = false;          // it had been done before
  std::optional<int> exit = {};  // of a stop: the job had ended by itself, with this code
};
void settle(Page& page, std::int64_t step, const StepOutcome& outcome);

// A job that the cluster says is over.
struct JobEnding {
  std::string job;
  std::string key;                  // of the step that started it: another start is another matter
  Phase outcome = Phase::finished;  // or failed; waiting: it was lost, and starts again
  std::string reason = {};
};
void note_ending(Page& page, const JobEnding& ending);

}  // namespace sextant::daemon
