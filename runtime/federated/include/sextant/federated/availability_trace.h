// When clients are there, as somebody recorded it: a CSV of stays,
//   client,from_s,to_s
//   0,0,3600
//   0,7200,10800
// Lines may come in any order, and stays of a client may touch or overlap. After the last moment of the trace
// it begins anew. A client without a line is never there.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sextant/events/time.h"

namespace sextant::federated {

class AvailabilityTrace {
 public:
  // InputError with the place in the file.
  static AvailabilityTrace parse(std::string text, std::string file_name);
  static AvailabilityTrace read(const std::string& path);

  // Clients [0, clients()) have lines, or some of them.
  [[nodiscard]] std::int64_t clients() const { return static_cast<std::int64_t>(stays_.size()); }
  [[nodiscard]] bool there(std::int64_t client, events::Nanos at) const;
  // The end of the stay that holds at this time; endless for who never leaves.
  [[nodiscard]] events::Nanos until(std::int64_t client, events::Nanos at) const;
  // The first time from `at` on at which the client is there; endless for who never is.
  [[nodiscard]] events::Nanos next(std::int64_t client, events::Nanos at) const;

 private:
  struct Stay {
    events::Nanos from = 0;
    events::Nanos to = 0;
  };
  [[nodiscard]] const std::vector<Stay>& stays_of(std::int64_t client) const;

  std::vector<std::vector<Stay>> stays_;  // of each client, apart and rising
  events::Nanos period_ = 0;
};

}  // namespace sextant::federated
