// Records for tests.
#pragma once

#include <string>

#include "sextant/records/record.h"

namespace sextant::records::test {

inline Provenance sample_provenance() {
  return {"1.2.3",           "2024-05-01T10:00:00Z", "node-7",
          "sextant measure", 18446744073709551615U,  {{"a.csv", "00ff"}}};
}

inline Record sample(double seconds) {
  return new_record("training-step", {{"net", "resnet-50"}, {"seconds", seconds}}, sample_provenance());
}

inline bool same_provenance(const Provenance& a, const Provenance& b) {
  return a.tool_version == b.tool_version && a.date == b.date && a.host == b.host && a.command == b.command &&
         a.seed == b.seed && a.inputs == b.inputs;
}

// Everything, fields in their order.
inline bool identical(const Record& a, const Record& b) {
  return a.id == b.id && a.kind == b.kind && a.fields == b.fields &&
         same_provenance(a.provenance, b.provenance);
}

}  // namespace sextant::records::test
