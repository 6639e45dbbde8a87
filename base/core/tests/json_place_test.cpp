#include "sextant/core/json_place.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "error_of.h"
#include "sextant/core/json_reader.h"

namespace sextant {
namespace {

Json sample() {
  return Json::parse(R"({"fit": {"trees": [{"left": [1, 2]}, {"left": [3, "x"]}]}, "rows": 4})");
}

TEST(JsonPlace, IsThePathToTheVeryValue) {
  const Json document = sample();
  EXPECT_EQ(json_path(document, document), "");
  EXPECT_EQ(json_path(document, document["rows"]), "rows");
  EXPECT_EQ(json_path(document, document["fit"]["trees"][1]["left"][1]), "fit.trees[1].left[1]");
  EXPECT_EQ(json_path(document, Json(4)), "") << "an equal value elsewhere is no part of it";
}

TEST(JsonPlace, FaultsSayFilePlaceAndHint) {
  const Json document = sample();
  const auto fault = [&](const auto& read) {
    return test::error_of([&] { read_document(document, "m.json", "'sextant fit' makes one", read); });
  };
  EXPECT_EQ(
      fault([](const Json& json) -> int { throw JsonFault(json["fit"]["trees"][1], "right", "is missing"); }),
      "m.json: error: 'fit.trees[1].right' is missing\n  hint: 'sextant fit' makes one");
  EXPECT_EQ(fault([](const Json& json) -> int {
              throw JsonFault::at_value(json["fit"]["trees"][1]["left"][1], "left", "is not a number");
            }),
            "m.json: error: 'fit.trees[1].left[1]' is not a number\n  hint: 'sextant fit' makes one");
  EXPECT_EQ(fault([](const Json& json) -> int { throw JsonFault(json, "rows", "is odd", "count again"); }),
            "m.json: error: 'rows' is odd\n  hint: count again");
  EXPECT_EQ(fault([](const Json&) -> int { throw InputError("two lists differ"); }),
            "m.json: error: two lists differ\n  hint: 'sextant fit' makes one");
}

struct Reader : JsonReader {
  Reader() : JsonReader("r.json") {}
  double read(const Json& json) const {
    check_schema(json, "s/1", "a sample", "sextant sample");
    return number(member(member(json, "systems"), "dgx"), "host");
  }
};

TEST(JsonPlace, ReadersOfDocumentsNameIt) {
  const auto fault = [](const char* text) {
    const Json json = Json::parse(text);
    return test::error_of([&] { (void)Reader().read(json); });
  };
  EXPECT_EQ(fault(R"({"schema": "s/1", "systems": {"dgx": {"host": "x"}}})"),
            "r.json: error: 'systems.dgx.host' is not a number");
  EXPECT_EQ(fault(R"({"schema": "s/1", "systems": {}})"), "r.json: error: 'systems.dgx' is missing");
}

}  // namespace
}  // namespace sextant
