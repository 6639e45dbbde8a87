// Who rents machines out, and how it bills them. Facts from facts/catalog/data/providers.toml or a user's
// file.
#pragma once

#include <string>
#include <vector>

#include "sextant/core/units.h"

namespace sextant::catalog {

// The values of a fresh one are what is assumed of a provider that the catalogue does not know.
struct Provider {
  std::string id;    // "aws": the `cloud` of its machines
  std::string name;  // "Amazon EC2"
  std::vector<std::string> aliases;
  Seconds increment{1};  // the billed time is rounded up to a multiple of it
  Seconds minimum{60};   // the least time that is billed for a machine
  Seconds startup{300};  // from the order of a machine to the first step, which is paid; our assumption

  std::string source;
  std::string date;  // when the source was read, YYYY-MM-DD
  std::string notes;
};

}  // namespace sextant::catalog
