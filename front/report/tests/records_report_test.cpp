// Records as a table: what they hold is readable on eighty columns.
#include "sextant/report/records_report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "sextant/report/render.h"

namespace sextant::report {
namespace {

using testing::HasSubstr;

records::Record record_of(const std::string& id) {
  const bool first = id.front() == '0';
  Provenance from;
  from.date = first ? "2026-01-01T00:00:00Z" : "2026-01-02T00:00:00Z";
  return {.id = id,
          .kind = "training-step",
          .fields = {{"net", "lenet5"},
                     {"threads", first ? 1.0 : 2.0},
                     {"step_p10_s", 0.004030140200000002},
                     {"exposed_communication_s", 0.0018877300000000002}},
          .provenance = from};
}

TEST(RecordsReport, NumbersAreWholeOnEightyColumns) {
  const std::string id = "0069e9ea23790069e9ea23790069e9ea";
  const Result result = records_list_result({record_of(id), record_of("1" + id.substr(1))});
  std::ostringstream out;
  render_screen(out, result.sections.at(0).table, {.color = false, .width = 80});
  EXPECT_THAT(out.str(), HasSubstr("All rows: kind training-step"));
  EXPECT_THAT(out.str(), HasSubstr("\n0069e9ea2379  "));
  EXPECT_THAT(out.str(), HasSubstr("step_p10_s=0.004030140200000002"));
  EXPECT_THAT(out.str(), HasSubstr("exposed_communication_s=0.0018877300000000002"));
  EXPECT_THAT(out.str(), HasSubstr("Not shown at this width: date.")) << "it would split a number";
  EXPECT_EQ(to_json(result).at("records").at(0).at("id"), id) << "files have all of it";
}

}  // namespace
}  // namespace sextant::report
