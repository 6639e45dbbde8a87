// Every kind of thing can be listed, and what is listed can be described.
#include "kinds.h"

#include <gmock/gmock.h>

#include "cli_fixture.h"

namespace sextant::cli::test {
namespace {

using testing::HasSubstr;

class Kinds : public CliFixture {};

TEST_F(Kinds, WhatIsListedCanBeDescribed) {
  const catalog::Catalog catalog = catalog::builtin_catalog();
  for (const Kind& kind : kinds()) {
    const report::Table list = kind.list(catalog);
    ASSERT_FALSE(list.rows.empty()) << kind.plural;
    const std::string first = list.rows.front().front().shown;
    const report::Table description = kind.describe(catalog, first).sections.at(0).table;
    ASSERT_FALSE(description.rows.empty()) << kind.singular << " " << first;
    EXPECT_EQ(description.rows.front().at(1).shown, first) << kind.singular;
  }
}

TEST_F(Kinds, MethodsStacksAndRecipesAreKinds) {
  EXPECT_THAT(sextant_run({"list", "methods"}).out, HasSubstr("ridge"));
  EXPECT_THAT(sextant_run({"list", "stacks"}).out, HasSubstr("tensorflow-2.5"));
  EXPECT_THAT(sextant_run({"list", "recipes"}).out, HasSubstr("pytorch-2.1"));
  EXPECT_THAT(sextant_run({"describe", "stack", "pytorch"}).out, HasSubstr("pytorch-2.1"));
  EXPECT_THAT(sextant_run({"describe", "recipe", "pytorch-2.1"}).out, HasSubstr(".csv"));
}

TEST_F(Kinds, AThingMayBeNamedLikeACommand) {
  const Outcome outcome = sextant_run({"describe", "evaluator", "predict"});
  EXPECT_EQ(outcome.code, kDone) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("predict"));
}

TEST_F(Kinds, AnUnknownNameIsBadInput) {
  for (const char* kind : {"gpu", "nets", "predictor", "method", "stack", "recipe"}) {
    const Outcome outcome = sextant_run({"describe", kind, "no-such-thing"});
    EXPECT_EQ(outcome.code, kBadInput) << kind;
    EXPECT_THAT(outcome.err, HasSubstr("NAME: error: unknown")) << kind;
  }
}

TEST_F(Kinds, SystemsOfCollectivesAreListed) {
  EXPECT_THAT(sextant_run({"list", "systems"}).out, HasSubstr("a100-dgx"));
  EXPECT_THAT(sextant_run({"collective", "--system", "foo", "--bytes", "1MB"}).err,
              HasSubstr("'sextant list systems'"));
}

}  // namespace
}  // namespace sextant::cli::test
